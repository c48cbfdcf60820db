import { version as written } from '../../package.json';

/** The version of this package. */
export const version: string = written;
