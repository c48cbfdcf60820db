# The machine and how the model is cut over it.
NNODES=2
GPUS_PER_NODE=8
TP=4
PP=2
