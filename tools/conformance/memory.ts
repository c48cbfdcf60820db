// Compares the memory floors of our rules with what real GPUs used: npm run conformance:memory [-- --file FILE.json] [--show above] [--limit N]
import { readFileSync } from 'node:fs';
import { floorsOf } from './memory/floors.ts';
import { type MemoryRecord, readMeasurements } from './memory/record.ts';
import { knowledgeInSchemas, readRequest } from './verdicts.ts';

const request = readRequest('memory', ['above'], 'memory/h200.dev.json');
const knowledgeOf = knowledgeInSchemas();

/** A floor and the measured value, both in bytes. */
interface Pair {
  readonly floor: number;
  readonly measured: number;
}

function pairOf(floor: number | undefined, measured: number | null): Pair | undefined {
  return floor === undefined || measured === null ? undefined : { floor, measured };
}

/** The median ratio. */
function median(pairs: readonly Pair[]): string {
  const ratios = pairs.map(({ floor, measured }) => floor / measured).sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 2)]?.toFixed(3) ?? '–';
}

const gib = (bytes: number | null | undefined): string =>
  (typeof bytes === 'number' ? (bytes / 2 ** 30).toFixed(2) : '–').padStart(7);
const ratio = (pair: Pair | undefined): string =>
  (pair === undefined ? '–' : (pair.floor / pair.measured).toFixed(3)).padStart(6);
const isAbove = (pair: Pair | undefined): boolean => pair !== undefined && pair.floor > pair.measured;

const records = readMeasurements(readFileSync(request.files[0] ?? '', 'utf8'));

/** The highest peak among the measured ranks of the same run: pipeline stages hold different activations. */
function fullestPeak({ name }: MemoryRecord): number | null {
  const peaks = records.flatMap((other) => (other.name === name ? (other.peak_allocated_bytes ?? []) : []));
  return peaks.length === 0 ? null : Math.max(...peaks);
}

const rows = records.map((record) => {
  const floors = floorsOf(record, knowledgeOf);
  const built = pairOf(floors.built, record.after_setup_bytes);
  const trained = pairOf(floors.trained, record.peak_allocated_bytes);
  const stepping = pairOf(floors.stepping, fullestPeak(record));
  return { record, floors, built, trained, stepping };
});

function line({ record, floors, built, trained, stepping }: (typeof rows)[number]): string {
  const after = `${gib(floors.built)} of ${gib(record.after_setup_bytes)} ${ratio(built)}`;
  const peak = `${gib(floors.trained)} and ${gib(floors.stepping)} of ${gib(record.peak_allocated_bytes)}`;
  return `${record.name.padEnd(24)} rank ${record.rank}   ${after}   ${peak} ${ratio(trained)} ${ratio(stepping)}`;
}

console.log(
  'GiB: our floor of what is measured after setup; with the optimizer state, and with activations, of the peak',
);
const shown =
  request.show === 'above'
    ? rows.filter((row) => isAbove(row.built) || isAbove(row.trained) || isAbove(row.stepping))
    : rows;
for (const row of shown.slice(0, request.limit)) console.log(line(row));
const setups = rows.flatMap(({ built }) => built ?? []);
const peaks = rows.flatMap(({ trained }) => trained ?? []);
const steps = rows.flatMap(({ stepping }) => stepping ?? []);
console.log(`${rows.length} runs`);
console.log(
  `after setup  ${setups.filter(isAbove).length} floors above, median ${median(setups)} (${setups.length} compared)`,
);
console.log(
  `peak         ${peaks.filter(isAbove).length} floors above, median ${median(peaks)} (${peaks.length} compared)`,
);
console.log(
  `activations  ${steps.filter(isAbove).length} floors above the peak of the fullest rank, median ${median(steps)} (${steps.length} compared)`,
);
