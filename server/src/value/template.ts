/**
 * The variable that stands for what a program fills into a script before a shell reads it: Helm, Argo and GitHub for `{{ … }}`. Nothing sets
 * it. Unlike a shell variable, it is also filled in between single quotes.
 */
export const templateVariable = '$WORKFLOW_EXPRESSION';
