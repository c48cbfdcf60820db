const beginning = 'descriptor ';

/** A descriptor that nothing is kept of, for one whose number is not known. */
export const unusedDescriptor = 99;

/** What a value is that is the number of a descriptor which Bash has chosen (`exec {FD}> FILE`). */
export function ofChosenDescriptor(descriptor: number): string {
  return `${beginning}${descriptor}`;
}

/** The descriptor whose number such a value is; undefined for another value. */
export function chosenDescriptor(of: string | undefined): number | undefined {
  return of?.startsWith(beginning) === true ? Number(of.slice(beginning.length)) : undefined;
}
