import type { MemoryFloor } from '../rules/memoryFloors.ts';

const gibi = 1024 ** 3;

/** Number of GiB from which one decimal is enough. */
const coarse = 10;

/** Bytes in GiB for people, rounded down because the value is a lower bound: `42.3`, `0.37`. */
export function gibText(bytes: number): string {
  const size = bytes / gibi;
  const decimals = size >= coarse ? 1 : 2;
  return (Math.floor(size * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
}

/** The minimum memory that a GPU needs, and for what: `at least 42.3 of 80 GiB on the fullest training GPU: weights 12.0, optimizer 30.3`. */
export function floorText(floor: MemoryFloor): string {
  const { gpu, bytes, parts, available } = floor;
  const of = available === undefined ? '' : ` of ${Math.round(available / gibi)}`;
  const pieces = parts.map((part) => `${part.name} ${gibText(part.bytes)}`).join(', ');
  return `${certaintyOf([floor])}at least ${gibText(bytes)}${of} GiB on ${gpu}: ${pieces}`;
}

/** What is needed on top of a floor. */
export function notCountedText({ notCounted }: MemoryFloor): string {
  return `not the peak; not counted: ${notCounted.join(', ')}`;
}

/**
 * Several floors in a few words: `at least 42.3 GiB on the fullest training GPU`; empty if there is none. Likely floors come after certain
 * ones.
 */
export function floorsText(floors: readonly MemoryFloor[]): string {
  const certain = floors.filter(({ isCertain }) => isCertain);
  const likely = floors.filter(({ isCertain }) => !isCertain);
  return [certain, likely].flatMap((some) => (some.length === 0 ? [] : [listText(some)])).join(', ');
}

function listText(floors: readonly MemoryFloor[]): string {
  const texts = floors.map(({ gpu, bytes }) => `${gibText(bytes)} GiB on ${gpu}`);
  return `${certaintyOf(floors)}at least ${texts.join(', ')}`;
}

function certaintyOf(floors: readonly MemoryFloor[]): string {
  return floors.every(({ isCertain }) => isCertain) ? '' : 'likely ';
}
