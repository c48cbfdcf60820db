import data from '../../../schemas/common/job-files.json';

/** Keys whose value is shell text. */
export const scriptKeys: ReadonlySet<string> = new Set(data.scripts);

/** Keys whose value is shell text, unless it is a list or a map: then they mean something else. */
export const textKeys: ReadonlySet<string> = new Set(data.texts);

/** Keys that hold the words of a container's command, in their order. */
export const commandKeys: readonly string[] = data.command;

/** Keys of maps of environment variables, in the files of our frameworks, of schedulers and of CI. */
export const environmentKeys: ReadonlySet<string> = new Set(data.environments);

/** Keys that refer to variables defined elsewhere. */
export const variableFileKeys: ReadonlySet<string> = new Set(data.variableFiles);

/** Keys of jobs whose operator tells each process its index and their number. */
export const operatorKeys: readonly string[] = data.operators.keys;

/** The variables in which an operator tells that. */
export const operatorVariables: readonly string[] = data.operators.variables;

/** Keys for the image of a container whose words are given. */
export const containerImageKeys: readonly string[] = data.containerImages;

/** Keys of maps whose commands run in an image, or in a Ray cluster that is created from them or already exists. */
export const imageKeys: readonly string[] = [...data.containerImages, ...data.images, ...operatorKeys];

/** Paths to such keys further down in a map. */
export const imagePaths: readonly (readonly string[])[] = data.imagesWithin;

/** Names under which a Kubernetes container requests GPUs. */
export const gpuResources: readonly string[] = data.gpuResources;

/** Kinds of Kubernetes objects that start nothing: `CustomResourceDefinition`, … */
export const inertKinds: ReadonlySet<string> = new Set(data.inertKinds);

/** Top-level keys of files that describe an interface or list packages. */
export const descriptionKeys: readonly string[] = data.descriptions;
