import manifest from '../../../package.json';

/** The version of this package. */
export const version: string = manifest.version;
