import { evaluateScript } from './bash/evaluate.ts';
import type { BashResult, Requirement, VariableReference } from './bash/options.ts';
import { planFix } from './fixes/plan.ts';
import type { ParsedTexts } from './fixes/work.ts';
import type { BindingContext, FrameworkId, Run } from './frameworks/framework.ts';
import type { Knowledge, KnowledgeSource, OptionFact } from './frameworks/knowledge.ts';
import { optionsByName } from './frameworks/options.ts';
import { frameworkOf, frameworks } from './frameworks/registry.ts';
import type { Command } from './launch/command.ts';
import type { Launch } from './launch/launch.ts';
import { mayLaunch } from './launch/may-launch.ts';
import { nestedShell } from './launch/nested.ts';
import { launchesOf } from './launch/peel.ts';
import { hasTooManyWords, kindOf, maybeOurs, mostWords } from './recognise.ts';
import { checkRun, type FixPlanner } from './rules/check.ts';
import { commonFinding } from './rules/commonFinding.ts';
import { continuationFindings } from './rules/continuation.ts';
import type { Finding } from './rules/finding.ts';
import { bashFindings, bindingFindings, yamlFindings } from './rules/problems.ts';
import type { CommonRules } from './rules/rule.ts';
import { applySuppressions, suppressionsOf } from './rules/suppressions.ts';
import { type CheckedRun, joinRuns } from './rules/weigh.ts';
import type { Host } from './value/host.ts';
import type { MachineProfile } from './value/machine.ts';
import type { YamlDocument } from './yaml/document.ts';
import { type Embedded, embedded } from './yaml/embedded.ts';
import { parseYaml } from './yaml/parse.ts';

/** What the linter needs from the face that uses it. */
export interface LinterParts {
  readonly host: Host;
  readonly machine: MachineProfile;
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
  /** Options that the project declares for its fork. */
  readonly extraOptions?: readonly string[];
  /** Framework of launches that run Python and that no framework recognises. */
  readonly assumedFramework?: FrameworkId | undefined;
  /** Leaves out what scripts do that cannot start anything of ours; their findings are the same. */
  readonly launchesOnly?: boolean;
  /** Rules that comments cannot suppress. */
  readonly unsuppressible?: readonly string[];
}

/** Everything found out about one file. */
export interface FileReport {
  readonly path: string;
  readonly text: string;
  /** The recognised launches and stand-alone configurations. */
  readonly runs: readonly Run[];
  /** Launches of any program, recognised or not, for `resolve`. */
  readonly launches: readonly Launch[];
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Finding[];
  /** Other files of the workspace that were read for it. */
  readonly sources: readonly string[];
  /** Variables as they were read and assigned, for hovers and definitions. */
  readonly references: readonly VariableReference[];
  /** Variables and positional arguments that the script demands from outside. */
  readonly required: readonly Requirement[];
}

/** The report of a file that is none of ours. */
export function emptyReport(path: string, text: string): FileReport {
  return {
    path,
    text,
    runs: [],
    launches: [],
    findings: [],
    suppressed: [],
    sources: [],
    references: [],
    required: [],
  };
}

/** The report of a file that may be ours and is too much to read. */
function unreadReport(path: string, text: string, commonRules: CommonRules): FileReport {
  const end = text.slice(0, 80).search(/[\r\n]|$/);
  const place = { path, span: { start: 0, end } };
  const values = { words: mostWords.toLocaleString('en-US') };
  return { ...emptyReport(path, text), findings: commonFinding(commonRules, 'not-read', place, values) };
}

/** Lints texts. Keeps parsed knowledge and nothing of the files. */
export interface Linter {
  /** Lints one file as its text stands; the host answers for every other file. */
  lint(path: string, text: string): FileReport;
  /** The ids of all rules. */
  ruleIds(): readonly string[];
}

/** What one file yields before its findings are weighed against each other. */
interface Collected {
  readonly checked: CheckedRun[];
  readonly launches: Launch[];
  /** Findings about the file itself, whichever launch it holds. */
  readonly findings: Finding[];
  readonly sources: Set<string>;
  readonly references: VariableReference[];
  readonly required: Requirement[];
}

/** Makes a linter. Pure: everything comes from `parts`. */
export function createLinter(parts: LinterParts): Linter {
  const optionsOf = (knowledge: Knowledge): ReadonlyMap<string, OptionFact> =>
    optionsByName(knowledge.options);
  let ids: readonly string[] | undefined;
  const ruleIds = (): readonly string[] => {
    ids ??= [
      ...parts.commonRules.keys(),
      ...frameworks.flatMap(({ id }) => [
        ...new Set(parts.knowledgeOf(id).constraints.map((constraint) => `${id}/${constraint.id}`)),
      ]),
    ];
    return ids;
  };
  return {
    ruleIds,
    lint: (path, text) => lintFile(path, text, parts, optionsOf, ruleIds),
  };
}

function lintFile(
  path: string,
  text: string,
  parts: LinterParts,
  optionsOf: (knowledge: Knowledge) => ReadonlyMap<string, OptionFact>,
  ruleIds: () => readonly string[],
): FileReport {
  const kind = kindOf(path, text);
  if (!maybeOurs(kind, text)) return emptyReport(path, text);
  if (hasTooManyWords(text)) return unreadReport(path, text, parts.commonRules);
  const host = withText(parts.host, path, text);
  const starting = new Map<string, boolean>();
  const isIdle = (at: string, script: string): boolean =>
    parts.launchesOnly === true && !mayLaunch(at, script, host, starting);
  if (kind === 'shell' && isIdle(path, text)) return emptyReport(path, text);
  const documents = new Map<string, YamlDocument | undefined>();
  const readDocument = (at: string): YamlDocument | undefined => {
    if (!documents.has(at)) {
      const content = host.read(at);
      documents.set(at, content === undefined ? undefined : parseYaml(at, content)[0]);
    }
    return documents.get(at);
  };
  const contextFor = (framework: FrameworkId): BindingContext => ({
    host,
    machine: parts.machine,
    knowledge: parts.knowledgeOf(framework),
    knowledgeOf: parts.knowledgeOf,
    document: readDocument,
    extraOptions: parts.extraOptions ?? [],
  });
  const parsed: ParsedTexts = { scripts: new Map(), documents: new Map() };
  const planner: FixPlanner = (change, run, scope) =>
    planFix(change, run, scope, {
      read: (at) => host.read(at),
      option: (name) => optionsOf(parts.knowledgeOf(scope.set)).get(name),
      parsed,
    });
  const collected: Collected = {
    checked: [],
    launches: [],
    findings: [],
    sources: new Set(),
    references: [],
    required: [],
  };
  const check = (run: Run): void => {
    const constraintFindings = checkRun(run, { knowledgeOf: parts.knowledgeOf, optionsOf, planFix: planner });
    collected.checked.push({
      run,
      findings: [...bindingFindings(run, parts.commonRules), ...constraintFindings],
    });
    for (const document of run.documents) {
      if (document.path !== path) collected.sources.add(document.path);
      collected.findings.push(...yamlFindings(document, parts.commonRules));
    }
  };
  const follow = (commands: readonly Command[], machine: MachineProfile): void => {
    for (const command of commands) {
      for (const launch of launchesOf(command, machine)) {
        collected.launches.push(launch);
        let recognised = false;
        for (const framework of frameworks) {
          const because = framework.recogniseLaunch(launch, host);
          if (because === undefined) continue;
          check(framework.bindLaunch(launch, because, contextFor(framework.id)));
          recognised = true;
          break;
        }
        const assumed =
          parts.assumedFramework === undefined ? undefined : frameworkOf(parts.assumedFramework);
        if (!recognised && assumed !== undefined && launch.entry.kind !== 'program')
          check(assumed.bindLaunch(launch, 'the configuration says so', contextFor(assumed.id)));
      }
    }
  };
  if (kind === 'shell') {
    const result = evaluateScript(path, text, {
      host,
      machine: parts.machine,
      nested: nestedShell,
      references: parts.launchesOnly !== true,
      isIdle,
    });
    addFacts(result, collected);
    follow(result.commands, parts.machine);
    if (collected.checked.length > 0)
      collected.findings.push(
        ...bashFindings(result.problems, parts.commonRules, (at) => host.rootOf(at)),
        ...continuationFindings(result.commands, (at) => host.read(at), parts.commonRules),
      );
  } else {
    lintYaml(path, text, { host, parts, check, follow, contextFor, collected, isIdle });
  }
  const findings = [...collected.findings, ...joinRuns(collected.checked)];
  const suppressions = suppressionsOf(text, kind === 'yaml');
  const { kept, suppressed } = applySuppressions(
    findings,
    { path, text, suppressions },
    {
      known: suppressions.length > 0 ? ruleIds() : [],
      common: parts.commonRules,
      reportUnused: collected.checked.length > 0,
      unsuppressible: parts.unsuppressible ?? [],
    },
  );
  return {
    path,
    text,
    runs: collected.checked.map(({ run }) => run),
    launches: collected.launches,
    findings: inTextOrder(kept, path),
    suppressed,
    sources: [...collected.sources],
    references: collected.references,
    required: collected.required,
  };
}

function addFacts(result: BashResult, collected: Collected): void {
  for (const source of result.sources) collected.sources.add(source);
  for (const reference of result.references) collected.references.push(reference);
  for (const requirement of result.required) collected.required.push(requirement);
}

interface YamlContext {
  readonly host: Host;
  readonly parts: LinterParts;
  readonly check: (run: Run) => void;
  readonly follow: (commands: readonly Command[], machine: MachineProfile) => void;
  readonly contextFor: (framework: FrameworkId) => BindingContext;
  readonly collected: Collected;
  /** Whether a script need not be evaluated. */
  readonly isIdle: (path: string, script: string) => boolean;
}

function lintYaml(path: string, text: string, context: YamlContext): void {
  for (const document of parseYaml(path, text)) {
    let recognised = false;
    for (const framework of frameworks) {
      const because = framework.recogniseDocument(document);
      if (because === undefined) continue;
      context.check(framework.bindDocument(document, because, context.contextFor(framework.id)));
      recognised = true;
      break;
    }
    if (recognised) continue;
    for (const part of embedded(document)) {
      const machine = statedMachine(context.parts.machine, part);
      if (part.kind === 'command') {
        context.follow([commandOf(part)], machine);
        continue;
      }
      if (context.isIdle(path, part.text)) continue;
      const result = evaluateScript(path, part.text, {
        host: context.host,
        machine,
        nested: nestedShell,
        locate: part.toPlace,
        environment: part.env,
        references: context.parts.launchesOnly !== true,
        isIdle: context.isIdle,
      });
      addFacts(result, context.collected);
      context.follow(result.commands, machine);
    }
  }
}

/** The machine as the YAML around a command states it; what the user declares comes first. */
function statedMachine(declared: MachineProfile, { resources }: Embedded): MachineProfile {
  const gpusPerNode = declared.gpusPerNode ?? resources.gpusPerNode?.value;
  const nodes = declared.nodes ?? resources.nodes?.value;
  return {
    ...declared,
    ...(gpusPerNode === undefined ? {} : { gpusPerNode }),
    ...(nodes === undefined ? {} : { nodes }),
  };
}

function commandOf(part: Extract<Embedded, { kind: 'command' }>): Command {
  return {
    words: part.words,
    env: part.env,
    cwd: undefined,
    place: part.place,
    input: undefined,
    via: [],
    directives: [],
    assumptions: [],
    open: [],
  };
}

/** The host, with one file's text as it stands in an editor or on standard input, and without texts that are too much to read. */
function withText(host: Host, path: string, text: string): Host {
  const readOther = (at: string): string | undefined => {
    const other = host.read(at);
    return other === undefined || hasTooManyWords(other) ? undefined : other;
  };
  return {
    read: (at) => (at === path ? text : readOther(at)),
    kind: (at) => (at === path ? 'file' : host.kind(at)),
    list: (at) => host.list(at),
    rootOf: (at) => host.rootOf(at),
  };
}

function inTextOrder(findings: readonly Finding[], path: string): Finding[] {
  const rank = (finding: Finding): number => (finding.place.path === path ? 0 : 1);
  return [...findings].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.place.path < b.place.path ? -1 : a.place.path > b.place.path ? 1 : 0) ||
      a.place.span.start - b.place.span.start ||
      (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0),
  );
}
