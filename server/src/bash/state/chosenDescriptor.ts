const beginning = 'descriptor ';

/** A descriptor about which nothing is stored, in place of one whose number is unknown. */
export const unusedDescriptor = 99;

/** The identity of a value that is the number of a descriptor chosen by Bash (`exec {FD}> FILE`). */
export function ofChosenDescriptor(descriptor: number): string {
  return `${beginning}${descriptor}`;
}

/** The descriptor with such an identity; undefined for any other value. */
export function chosenDescriptor(of: string | undefined): number | undefined {
  return of?.startsWith(beginning) === true ? Number(of.slice(beginning.length)) : undefined;
}
