import data from '../../../schemas/common/job-files.json';

/** Keys of shell text. */
export const scriptKeys: ReadonlySet<string> = new Set(data.scripts);

/** Keys of shell text that stand for something else where they hold a list or a map. */
export const textKeys: ReadonlySet<string> = new Set(data.texts);

/** Keys of the words of a container's command, in their order. */
export const commandKeys: readonly string[] = data.command;

/** Keys of maps whose values are environment variables, as files of ours and of schedulers and CI have them. */
export const environmentKeys: ReadonlySet<string> = new Set(data.environments);

/** Keys for variables that stand elsewhere. */
export const variableFileKeys: ReadonlySet<string> = new Set(data.variableFiles);

/** Keys of jobs whose operator tells each process which one of how many it is. */
export const operatorKeys: readonly string[] = data.operators.keys;

/** The variables by which an operator tells that. */
export const operatorVariables: readonly string[] = data.operators.variables;

/** Keys of the image of a container that is told its words. */
export const containerImageKeys: readonly string[] = data.containerImages;

/** Keys of maps whose commands run in an image, or in a cluster of Ray that is made of them or is there. */
export const imageKeys: readonly string[] = [...data.containerImages, ...data.images, ...operatorKeys];

/** Where such a map says so further down. */
export const imagePaths: readonly (readonly string[])[] = data.imagesWithin;

/** Names under which a container of Kubernetes asks for GPUs. */
export const gpuResources: readonly string[] = data.gpuResources;

/** Kinds of Kubernetes' objects that start nothing: `CustomResourceDefinition`, … */
export const inertKinds: ReadonlySet<string> = new Set(data.inertKinds);

/** Keys at the top of files that describe an interface or list packages. */
export const descriptionKeys: readonly string[] = data.descriptions;
