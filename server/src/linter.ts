import type { Requirement, VariableReference } from './bash/options.ts';
import { Trail } from './bash/state/trail.ts';
import { FileLint } from './fileLint.ts';
import type { FrameworkId, Run } from './frameworks/framework.ts';
import type { KnowledgeSource } from './frameworks/knowledge.ts';
import { frameworks } from './frameworks/registry.ts';
import type { Launch } from './launch/launch.ts';
import { type FileKind, hasTooManyWords, kindOf, maybeOurs, mostWords } from './recognise.ts';
import { commonFinding } from './rules/commonFinding.ts';
import type { Finding } from './rules/finding.ts';
import type { CommonRules } from './rules/rule.ts';
import type { Host } from './value/host.ts';
import type { MachineProfile } from './value/machine.ts';

/** What the linter needs from the front end that uses it. */
export interface LinterParts {
  readonly host: Host;
  readonly machine: MachineProfile;
  readonly knowledgeOf: KnowledgeSource;
  readonly commonRules: CommonRules;
  /** Options that the project declares for its fork. */
  readonly extraOptions?: readonly string[];
  /** Framework to assume for launches that run Python and that no framework recognises. */
  readonly assumedFramework?: FrameworkId | undefined;
  /** Skips what scripts do that cannot start any known program; the findings are the same. */
  readonly launchesOnly?: boolean;
  /** Also reads files that name nothing of ours, and reads files that are not YAML as scripts, for what they start. */
  readonly anyProgram?: boolean;
  /** Keeps the evaluation state of long scripts: the next version of a script is evaluated from the first difference. For editors. */
  readonly resumes?: boolean;
  /** The kind of a file; by default determined by its name and text. */
  readonly kindOf?: ((path: string, text: string) => FileKind) | undefined;
  /** Rules that comments cannot suppress. */
  readonly unsuppressible?: readonly string[];
}

/** Everything found in one file. */
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
  /** Variables and positional arguments that the script requires from outside. */
  readonly required: readonly Requirement[];
  /** False if following the script was given up, so that it may start more. */
  readonly complete: boolean;
  /** False if there were so many findings that some fixes were not looked for. It covers the fixes that have been read so far. */
  readonly plannedAll: boolean;
}

/** The report of a file without anything of ours. */
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
    complete: true,
    plannedAll: true,
  };
}

/** The report of a file that may be ours but is not checked. @param rule the rule that says why */
function unreadReport(
  path: string,
  text: string,
  commonRules: CommonRules,
  rule: 'not-read' | 'nested-too-deeply',
): FileReport {
  const end = text.slice(0, 80).search(/[\r\n]|$/);
  const place = { path, span: { start: 0, end } };
  const values = { words: mostWords.toLocaleString('en-US') };
  return { ...emptyReport(path, text), findings: commonFinding(commonRules, rule, place, values) };
}

/** Whether the JavaScript engine ran out of stack: what follows the structure of a text calls itself for what is nested in it. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/** Maximum number of long texts for which a linter remembers whether they are too large: those of one program's parts. */
const mostJudged = 4;

/** Decides which texts are too large to read; long ones that several files lead to are checked once. */
function judgeOnce(): (text: string) => boolean {
  const judged: { readonly text: string; readonly isTooMuch: boolean }[] = [];
  return (text) => {
    if (text.length <= mostWords) return false;
    const known = judged.find((one) => one.text === text);
    if (known !== undefined) return known.isTooMuch;
    const isTooMuch = hasTooManyWords(text);
    judged.push({ text, isTooMuch });
    if (judged.length > mostJudged) judged.shift();
    return isTooMuch;
  };
}

/** Maximum number of scripts whose evaluation state a linter keeps. */
const mostTrails = 4;

/** Lints texts. Keeps parsed knowledge and, unless it resumes from earlier texts, nothing of the files. */
export interface Linter {
  /** Lints one file with the given text; the host provides every other file. */
  lint(path: string, text: string): FileReport;
  /** The ids of all rules. */
  ruleIds(): readonly string[];
}

/** Makes a linter. Pure: everything comes from `parts`. */
export function createLinter(parts: LinterParts): Linter {
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
  const trails = new Map<string, Trail>();
  const trailOf = (path: string): Trail => {
    const trail = trails.get(path) ?? new Trail();
    // The most recently used is dropped last.
    trails.delete(path);
    trails.set(path, trail);
    for (const [first] of trails) if (trails.size > mostTrails) trails.delete(first);
    return trail;
  };
  const isTooMuch = judgeOnce();
  return {
    ruleIds,
    lint: (path, text) => {
      const kind = (parts.kindOf ?? kindOf)(path, text);
      if (parts.anyProgram !== true && !maybeOurs(kind, text)) return emptyReport(path, text);
      if (hasTooManyWords(text)) return unreadReport(path, text, parts.commonRules, 'not-read');
      try {
        const file = new FileLint(path, text, parts, { ruleIds, isTooMuch });
        if (kind === 'yaml') file.readYaml();
        else file.readScript(parts.resumes === true ? trailOf(path) : undefined);
        return file.report();
      } catch (error) {
        if (!isStackOverflow(error)) throw error;
        trails.delete(path);
        return unreadReport(path, text, parts.commonRules, 'nested-too-deeply');
      }
    },
  };
}
