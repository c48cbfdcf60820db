import data from '../../../../schemas/common/wrappers.json';
import { remembering } from '../../value/remember.ts';
import type { OptionStyle } from './options.ts';
import type { EnvironmentRule, Exclusion, ProcessRule, ValueForm, Wrapper } from './wrapper.ts';

/** Words separated by blanks, in one text or several. */
type Words = string | readonly string[];

/** A wrapper as schemas/common/wrappers.json has it; tools/knowledge/wrapperFile.ts says what each field means. */
export interface WrittenWrapper {
  readonly calls: string;
  readonly before?: Words | undefined;
  readonly refuses?: string | undefined;
  readonly jobs?: string | undefined;
  readonly command?: string | undefined;
  readonly shared?: readonly string[] | undefined;
  readonly values?: Words | undefined;
  readonly pairs?: Words | undefined;
  readonly switches?: Words | undefined;
  readonly unlisted?: string | undefined;
  readonly clusters?: boolean | undefined;
  readonly forms?: string | undefined;
  readonly module?: string | undefined;
  readonly program?: string | undefined;
  readonly entry?: string | undefined;
  readonly text?: string | undefined;
  readonly underscores?: boolean | undefined;
  readonly abbreviations?: boolean | undefined;
  readonly positionals?: number | undefined;
  readonly named?: string | undefined;
  readonly separator?: boolean | undefined;
  readonly anywhere?: boolean | undefined;
  readonly assignments?: boolean | undefined;
  readonly queues?: boolean | undefined;
  readonly between?: string | undefined;
  readonly environment?: WrittenEnvironment | undefined;
  readonly processes?: WrittenProcesses | undefined;
}

interface WrittenForm {
  readonly options: string;
  readonly form: string;
  readonly rising?: string | undefined;
  readonly expected: string;
}

interface WrittenEnvironment {
  readonly set?: string | undefined;
  readonly list?: string | undefined;
  readonly pairs?: string | undefined;
  readonly prefixes?: string | undefined;
  readonly unset?: string | undefined;
  readonly isolated?: boolean | string | undefined;
  readonly keep?: string | undefined;
  readonly files?: string | undefined;
  readonly image?: boolean | string | undefined;
  readonly slurmExport?: boolean | undefined;
  readonly runtimeEnvironment?: string | undefined;
  readonly address?: string | undefined;
}

interface WrittenProcesses {
  readonly total?: string | undefined;
  readonly nodes?: string | undefined;
  readonly perNode?: string | undefined;
  readonly slots?: string | undefined;
  readonly partial?: string | undefined;
  readonly besideSlots?: string | undefined;
  readonly parametersBesideSlots?: string | undefined;
  readonly defaultNodes?: number | undefined;
  readonly defaultPerNode?: number | undefined;
  readonly nodesVariable?: string | undefined;
  readonly perNodeVariable?: string | undefined;
  readonly slurm?: boolean | undefined;
}

function words(written: Words | undefined): readonly string[] {
  return (typeof written === 'string' ? [written] : (written ?? [])).flatMap((text) => text.split(' '));
}

/** Ways to call programs, separated by commas. */
function calls(written: string | undefined): readonly string[] {
  return written?.split(', ') ?? [];
}

const shared: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(data.lists).map(([name, list]) => [name, words(list)]),
);

function valuesOf({
  shared: names = [],
  values,
}: Pick<WrittenWrapper, 'shared' | 'values'>): readonly string[] {
  return [...names.flatMap((name) => shared.get(name) ?? []), ...words(values)];
}

const forms: ReadonlyMap<string, readonly ValueForm[]> = new Map(
  Object.entries<readonly WrittenForm[]>(data.forms).map(([name, list]) => [name, list.map(formOf)]),
);

function formOf({ options, form, rising, expected }: WrittenForm): ValueForm {
  return { options: words(options), form: new RegExp(`^(?:${form})$`), rising, expected };
}

interface WrittenExclusion {
  readonly options: readonly string[];
  readonly since?: string | undefined;
  readonly isRecent?: boolean | undefined;
}

/** Options that exclude each other, under the name that the forms of the same program have. */
const exclusions: ReadonlyMap<string, readonly Exclusion[]> = new Map(
  Object.entries<readonly WrittenExclusion[]>(data.exclusive).map(([name, list]) => [
    name,
    list.map(({ options, since, isRecent }) => ({ options: options.map(words), since, isRecent })),
  ]),
);

/** The value forms that Slurm accepts, on command lines and in `#SBATCH` lines. */
export const slurmForms: readonly ValueForm[] = forms.get('slurm') ?? [];

/** Slurm options that exclude each other, in the same places. */
export const slurmExclusions: readonly Exclusion[] = exclusions.get('slurm') ?? [];

/** The value forms that `ray start` accepts. */
const rayStartForms: readonly ValueForm[] = forms.get('rayStart') ?? [];

/** The options of `ray start`, including those that it only takes on the first node (head_only_flags in python/ray/scripts/scripts.py). */
export const rayStart: OptionStyle & {
  readonly forms: readonly ValueForm[];
  readonly ofHead: readonly string[];
} = {
  ofHead: shared.get('rayStartOfHead') ?? [],
  values: [...(shared.get('rayStart') ?? []), ...rayStartForms.flatMap(({ options }) => options)],
  switches: shared.get('rayStartSwitches') ?? [],
  forms: rayStartForms,
};

/** Slurm's job options, for `sbatch`, `salloc` and `#SBATCH` lines; an optional value must be joined to its option. */
export const slurmJob: OptionStyle = {
  values: valuesOf({ shared: ['slurm', 'slurmJob'] }),
  switches: shared.get('slurmSwitches') ?? [],
};

/** True: always; a list: with one of these options; false: never. */
function whenOf(written: boolean | string | undefined): boolean | readonly string[] {
  return typeof written === 'string' ? words(written) : written === true;
}

function environmentOf({ isolated, image, ...rule }: WrittenEnvironment): EnvironmentRule {
  return {
    set: words(rule.set),
    list: words(rule.list),
    pairs: words(rule.pairs),
    prefixes: words(rule.prefixes),
    unset: words(rule.unset),
    isolated: whenOf(isolated),
    keep: words(rule.keep),
    files: words(rule.files),
    image: whenOf(image),
    slurmExport: rule.slurmExport,
    runtimeEnvironment: rule.runtimeEnvironment,
    address: rule.address,
  };
}

function processesOf(rule: WrittenProcesses): ProcessRule {
  return {
    ...rule,
    total: words(rule.total),
    nodes: words(rule.nodes),
    perNode: words(rule.perNode),
    slots: words(rule.slots),
    partial: words(rule.partial),
    besideSlots: words(rule.besideSlots),
    parametersBesideSlots: words(rule.parametersBesideSlots),
  };
}

const kinds = ['words', 'python', 'text', 'line', 'batch', 'typed'] as const;

/** A wrapper with its word lists split. Done only for wrappers that a command calls: there are hundreds, and each start would pay for all. */
export const wrapperOf = remembering((written: WrittenWrapper): Wrapper => {
  const { environment, processes } = written;
  return {
    calls: calls(written.calls),
    before: words(written.before),
    refuses: calls(written.refuses),
    jobs: calls(written.jobs),
    command: kinds.find((kind) => kind === written.command) ?? 'words',
    values: valuesOf(written),
    pairs: words(written.pairs),
    switches: words(written.switches),
    forms: forms.get(written.forms ?? '') ?? [],
    exclusive: exclusions.get(written.forms ?? '') ?? [],
    unlisted: written.unlisted === 'value' ? 'value' : 'switch',
    clusters: written.clusters !== false,
    module: words(written.module),
    program: words(written.program),
    entry: written.entry,
    text: words(written.text),
    underscores: written.underscores,
    abbreviations: written.abbreviations,
    positionals: written.positionals,
    named: words(written.named),
    separator: written.separator,
    anywhere: written.anywhere,
    assignments: written.assignments,
    queues: written.queues,
    between: written.between,
    environment: environment === undefined ? undefined : environmentOf(environment),
    processes: processes === undefined ? undefined : processesOf(processes),
  };
});

const groups: { readonly [name: string]: readonly WrittenWrapper[] } = data.wrappers;

/** A supported wrapper, and the ways to call it. */
export interface KnownWrapper {
  readonly calls: readonly string[];
  readonly written: WrittenWrapper;
}

/** All supported wrappers. The longest matching call wins. */
export const wrappers: readonly KnownWrapper[] = Object.values(groups)
  .flat()
  .map((written) => ({ calls: calls(written.calls), written }));

/** Whether the command started by a wrapper of this name may see other variables than those set before it: in an image, on another machine. */
export function hidesEnvironment(name: string): boolean {
  const { environment } = wrappers.find((wrapper) => wrapper.calls.includes(name))?.written ?? {};
  const { isolated, image, runtimeEnvironment } = environment ?? {};
  return isolated === true || image === true || runtimeEnvironment !== undefined;
}
