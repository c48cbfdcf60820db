import { evaluateScript } from './bash/evaluate.ts';
import type { BashOptions, BashResult, Requirement, VariableReference } from './bash/options.ts';
import type { Trail } from './bash/state/trail.ts';
import { FileRuns } from './fileRuns.ts';
import type { Run } from './frameworks/framework.ts';
import { frameworkOf } from './frameworks/registry.ts';
import { IdleScripts } from './idleScripts.ts';
import type { Assumption, Command } from './launch/command.ts';
import { commandOf, givenWithin, statedMachine } from './launch/embedded.ts';
import { type MeantCommand, meantCommands } from './launch/faults/cutOff.ts';
import { type LauncherFault, launcherFaults, withMeantOptions } from './launch/faults/launcherFault.ts';
import { slipsBeforeProgram, withoutSlips } from './launch/faults/slip.ts';
import { extraFaults } from './launch/faults/uvProject.ts';
import type { Launch } from './launch/launch.ts';
import { nestedShell } from './launch/wrappers/nested.ts';
import { isWithoutPython, launchesOf } from './launch/wrappers/peel.ts';
import type { FileReport, LinterParts } from './linter.ts';
import { kindOf } from './recognise.ts';
import { type Finding, inTextOrder } from './rules/finding.ts';
import { firstBorneOut, launcherFindings } from './rules/launches/launchers.ts';
import { withoutOwnSeparators } from './rules/launches/ownSeparator.ts';
import { shellFindings } from './rules/scripts/shellScript.ts';
import { type ShellText, scriptOf, scriptWithin } from './rules/scripts/shellText.ts';
import { slipFindings, splitFindings } from './rules/scripts/slips.ts';
import { type Suppression, suppressionsOf } from './rules/suppressionComments.ts';
import { applySuppressions, placesOf } from './rules/suppressions.ts';
import { Reach } from './rules/unread.ts';
import {
  type CheckedRun,
  type CheckedStart,
  comparedWithRuns,
  joinRuns,
  joinStarts,
  startKey,
} from './rules/weigh.ts';
import { isUnloadable, yamlFindings } from './rules/yamlProblems.ts';
import { RunFindings } from './runFindings.ts';
import { scriptsNaming } from './startingScripts.ts';
import { isYamlTemplateName } from './text/fileNames.ts';
import { type Host, withText } from './value/host.ts';
import type { MachineProfile } from './value/machine.ts';
import { display } from './value/word.ts';
import { isReadable, type YamlDocument } from './yaml/document.ts';
import { type EmbeddedCommand, embedded, scriptOfCommand } from './yaml/embedded.ts';
import { parsePastFaults } from './yaml/pastFaults.ts';
import { isSteered, renderings, withoutOptional } from './yaml/templateLines.ts';

/** What the linter shares between all files. */
export interface OfLinter {
  /** The ids of all rules, for the names in suppressions. */
  readonly ruleIds: () => readonly string[];
  /** Whether a text is too large to be read. */
  readonly isTooMuch: (text: string) => boolean;
}

/** The options of a script inside a file. */
type ScriptOptions = Pick<BashOptions, 'machine' | 'locate' | 'environment' | 'unseen' | 'trail'>;

/** The linting of one file: from its text through launches and runs to findings. */
export class FileLint {
  readonly #path: string;
  readonly #text: string;
  readonly #parts: LinterParts;
  readonly #ofLinter: OfLinter;
  readonly #host: Host;
  #isYaml = false;
  readonly #checked: CheckedRun[] = [];
  readonly #launches: Launch[] = [];
  /** Findings about the file itself, independent of its launches. */
  readonly #findings: Finding[] = [];
  /** Rules and places of these findings. */
  readonly #reported = new Set<string>();
  /** How its commands are started, one entry per execution path to them. */
  readonly #starts: CheckedStart[] = [];
  /** Which of the possible renderings of the file's template is being read. */
  #rendering: Assumption | undefined;
  readonly #sources = new Set<string>();
  readonly #references: VariableReference[] = [];
  readonly #required: Requirement[] = [];
  #complete = true;
  /** Files that scripts write or change themselves. */
  readonly #written = new Set<string>();
  readonly #runs: FileRuns;
  readonly #runFindings: RunFindings;
  readonly #reach = new Reach();
  readonly #idle: IdleScripts;
  #starting: readonly CheckedRun[] | undefined;

  constructor(path: string, text: string, parts: LinterParts, ofLinter: OfLinter) {
    this.#path = path;
    this.#text = text;
    this.#parts = parts;
    this.#ofLinter = ofLinter;
    this.#host = withText(parts.host, path, text, ofLinter.isTooMuch);
    this.#idle = new IdleScripts(path, parts, this.#host);
    this.#runs = new FileRuns(parts, this.#host, this.#written);
    this.#runFindings = new RunFindings(path, text, parts, this.#host, () =>
      this.#checked.map(({ run }) => run),
    );
  }

  /**
   * Reads the file as a shell script.
   *
   * @param trail the state of the evaluation of an earlier text
   */
  readScript(trail?: Trail): void {
    const { machine } = this.#parts;
    if (this.#idle.isIdle(this.#text)) return;
    this.#readShell(scriptOf(this.#path, this.#text), { machine, trail });
  }

  /** Reads a shell script of the file. */
  #readShell(script: ShellText, options: ScriptOptions): void {
    const result = this.#evaluate(script.text, options);
    const meant = meantCommands(result.commands, (at) => this.#host.read(at));
    const before = this.#checked.length;
    const relatives = this.#follow(result.commands, options.machine, meant);
    const runs = this.#checked.slice(before);
    const oursIn = (text: string): readonly Command[] => this.#oursIn(text, options);
    const launches = [...runs.flatMap(({ run }) => run.launch ?? []), ...relatives];
    const context = { common: this.#parts.commonRules, host: this.#host };
    this.#reportOnce(shellFindings({ ...script, oursIn }, result, launches, context));
  }

  /** Commands by which a script would start a known program if Bash continued after syntax errors. */
  #oursIn(text: string, given: ScriptOptions): readonly Command[] {
    const { machine } = given;
    const options = {
      ...this.#bashOptions(),
      ...given,
      trail: undefined,
      references: false,
      pastErrors: true,
    };
    const { commands, sources } = evaluateScript(this.#path, text, options);
    for (const source of sources) this.#sources.add(source);
    return commands.filter((command) => this.#isOurs(command, machine));
  }

  /** Reads the file as YAML: configurations of frameworks, and what other documents run. */
  readYaml(): void {
    this.#isYaml = true;
    const others = parsePastFaults(this.#path, this.#text).filter(
      (document) => !this.#checkDocument(document),
    );
    const isRead = others.every(isReadable) && !isSteered(this.#text);
    const made = isRead ? [] : renderings(this.#text);
    const bare = made.length === 0 ? undefined : withoutOptional(this.#text);
    if (made.length === 0) for (const document of others) this.#runEmbedded(document);
    for (const [side, text] of made.entries()) {
      const documents = parsePastFaults(this.#path, text);
      if (side > 0 && !documents.every(isReadable)) continue;
      const isOnly = made.length === 1 && bare === undefined;
      this.#rendering = isOnly ? undefined : renderingAssumed(this.#path, side);
      for (const document of documents) this.#runEmbedded(document);
    }
    if (bare !== undefined) this.#weakenWith(bare);
    this.#rendering = undefined;
  }

  /** Also runs a template without its conditions that have no else: errors found only with them are not certain. */
  #weakenWith(bare: string): void {
    const documents = parsePastFaults(this.#path, bare);
    if (!documents.every(isReadable)) return;
    this.#rendering = { ...renderingAssumed(this.#path, 1), weakens: true };
    for (const document of documents) this.#runEmbedded(document);
  }

  /** All findings, with the suppressions of the file applied. */
  report(): FileReport {
    const { commonRules, unsuppressible = [] } = this.#parts;
    const found = [...joinStarts(this.#starts), ...joinRuns(this.#checked)];
    const findings = [...this.#findings, ...found, ...this.#reach.findings(commonRules)];
    const suppressions = suppressionsOf(this.#text, this.#isYaml);
    const { kept, suppressed } = applySuppressions(
      findings,
      { path: this.#path, text: this.#text, suppressions },
      this.#commentsElsewhere(findings),
      {
        known: suppressions.length > 0 ? this.#ofLinter.ruleIds() : [],
        common: commonRules,
        reportUnused: this.#checked.length > 0 && !this.#checked.some(({ run }) => isUnloadable(run)),
        unsuppressible,
      },
    );
    const planning = this.#runFindings;
    return {
      path: this.#path,
      text: this.#text,
      runs: this.#checked.map(({ run }) => run),
      launches: this.#launches,
      findings: inTextOrder(kept, this.#path),
      suppressed,
      sources: [...this.#sources],
      references: this.#references,
      required: this.#required,
      complete: this.#complete,
      get plannedAll() {
        return planning.plannedAll;
      },
    };
  }

  /** The suppression comments in other files that findings refer to, such as a model's file that many scripts source. */
  #commentsElsewhere(
    findings: readonly Finding[],
  ): { path: string; text: string; suppressions: Suppression[] }[] {
    return [...new Set(findings.flatMap(placesOf).map(({ path }) => path))].flatMap((path) => {
      const text = path === this.#path ? undefined : this.#host.read(path);
      if (text === undefined) return [];
      return [{ path, text, suppressions: suppressionsOf(text, kindOf(path, text) === 'yaml') }];
    });
  }

  /** Checks a document as the configuration of a framework. Returns false if it is none; a template never is. */
  #checkDocument(document: YamlDocument): boolean {
    const isMade = isYamlTemplateName(this.#path);
    const recognised = isMade ? undefined : this.#runs.recogniseDocument(document);
    if (recognised === undefined) return false;
    if (!this.#reach.endsAtLaunch(document.root?.place))
      this.#check(this.#runs.bindDocument(document, recognised));
    return true;
  }

  #runEmbedded(document: YamlDocument): void {
    for (const part of embedded(document)) {
      if (this.#reach.endsAtScript(part.place)) return;
      const machine = statedMachine(this.#parts.machine, part);
      if (part.kind === 'command') this.#follow(this.#commandsOf(part, machine), machine);
      else if (!this.#idle.isIdle(part.text, [...part.env.values()].map(display))) {
        this.#readShell(scriptWithin(this.#path, part), { machine, ...givenWithin(part) });
      }
    }
  }

  /** What a container's command starts: the command itself, or the commands of the workspace's shell script that it runs. */
  #commandsOf(part: EmbeddedCommand, machine: MachineProfile): readonly Command[] {
    const itself = this.#assuming([commandOf(part)]);
    if (nestedShell(part.words) === undefined) return itself;
    const script = scriptOfCommand(part);
    const { commands } = this.#evaluate(script.text, { machine, ...givenWithin(script) });
    return commands.length === 0 ? itself : commands;
  }

  #bashOptions(): Pick<BashOptions, 'host' | 'nested' | 'isIdle'> {
    return {
      host: this.#host,
      nested: nestedShell,
      isIdle: (path, text) => this.#idle.startsNothing(path, text),
    };
  }

  /** Whether a command starts a known program. */
  #isOurs(command: Command, machine: MachineProfile): boolean {
    return launchesOf(command, machine).some(
      (launch) => this.#runs.recognise(launch) !== undefined || this.#runs.startsRelative(launch),
    );
  }

  #evaluate(script: string, options: ScriptOptions): BashResult {
    const result = evaluateScript(this.#path, script, {
      ...this.#bashOptions(),
      ...options,
      isWanted: (command) => this.#isOurs(command, options.machine),
      references: this.#parts.launchesOnly !== true,
    });
    for (const source of result.sources) this.#sources.add(source);
    for (const reference of result.references) this.#references.push(reference);
    for (const requirement of result.required) this.#required.push(requirement);
    if (result.truncated) this.#complete = false;
    this.#reach.addSteps(result.steps);
    for (const path of result.written) this.#written.add(path);
    return { ...result, commands: this.#assuming(result.commands) };
  }

  /** Commands of a template, marked with the assumption that it is rendered this way. */
  #assuming(commands: readonly Command[]): readonly Command[] {
    const rendering = this.#rendering;
    if (rendering === undefined) return commands;
    return commands.map((command) => ({ ...command, assumptions: [...command.assumptions, rendering] }));
  }

  /**
   * Checks what commands launch. Commands that were cut off or have slips in their words are checked as they were meant, since the consequences
   * are reported at the cause.
   *
   * @returns launches of programs whose options are not known
   */
  #follow(
    commands: readonly Command[],
    machine: MachineProfile,
    meant: ReadonlyMap<Command, MeantCommand> = new Map(),
  ): readonly Launch[] {
    const relatives: Launch[] = [];
    const found = new Map(commands.map((command) => [command, launchesOf(command, machine)]));
    const followed = new Set(
      [...found].flatMap(([command, launches]) => (launches.length > 0 ? command.via : [])),
    );
    for (const [command, direct] of found) {
      const host = isWithoutPython(direct) && !followed.has(command) ? this.#host : undefined;
      const launches = host === undefined ? direct : launchesOf(command, machine, host);
      this.#launches.push(...launches);
      const whole = meant.get(command);
      const complete = whole?.command ?? command;
      const { faults, runs } = firstBorneOut(launcherFaults(complete, host), (assumed) => {
        const called = withMeantOptions(complete, assumed);
        return this.#bindAll(called === command ? launches : launchesOf(called, machine, host));
      });
      const found = runs.flatMap((run) => this.#check(run));
      if (runs.length === 0) {
        relatives.push(...launches.filter((launch) => this.#runs.startsRelative(launch)));
        this.#followSplit(command, machine);
        continue;
      }
      const borneOut = withoutOwnSeparators(faults, runs, this.#host);
      const findings = this.#launcherFindings([...borneOut, ...extraFaults(complete, this.#host)]);
      if (whole !== undefined && whole.slips.length > 0) {
        const asWritten = this.#bindAll(launches).flatMap((run) => this.#runFindings.of(run));
        const before = [...this.#launcherFindings(launcherFaults(command, host)), ...asWritten];
        findings.push(...slipFindings(whole.slips, before, [...findings, ...found], this.#parts.commonRules));
      }
      this.#starts.push({ command, findings });
    }
    return relatives;
  }

  /** The runs of workspace scripts that start with this file, searched once for all of its documents. */
  #startingRuns(): readonly CheckedRun[] {
    this.#starting ??= this.#findStartingRuns();
    return this.#starting;
  }

  #findStartingRuns(): readonly CheckedRun[] {
    const parts = { ...this.#parts, host: this.#host, launchesOnly: true };
    return scriptsNaming(this.#path, this.#host).flatMap(({ path, text }) => {
      const script = new FileLint(path, text, parts, this.#ofLinter);
      script.readScript();
      const starting = script.#checked.filter(({ run }) =>
        run.documents.some((document) => document.path === this.#path),
      );
      if (starting.length > 0) this.#sources.add(path);
      return starting;
    });
  }

  #launcherFindings(faults: readonly LauncherFault[]): Finding[] {
    return launcherFindings(faults, (at) => this.#host.read(at), this.#parts.commonRules);
  }

  /** Checks a command that starts a known program only once quotes are put around words that split. */
  #followSplit(command: Command, machine: MachineProfile): void {
    const slips = slipsBeforeProgram(command);
    if (!slips.some(({ kind }) => kind === 'split')) return;
    const runs = this.#bindAll(launchesOf(withoutSlips(command, slips), machine));
    for (const run of runs) this.#check(run);
    if (runs.length === 0) return;
    this.#starts.push({ command, findings: splitFindings(slips, command, this.#parts.commonRules) });
  }

  #report(finding: Finding): void {
    this.#findings.push(finding);
    this.#reported.add(startKey(finding));
  }

  /** Keeps findings of a command, which may be reached on several paths, only once. */
  #reportOnce(findings: readonly Finding[]): void {
    if (this.#rendering?.weakens === true) return;
    for (const finding of findings) if (!this.#reported.has(startKey(finding))) this.#report(finding);
  }

  #bindAll(launches: readonly Launch[]): readonly Run[] {
    return launches.flatMap((launch) => this.#bindLaunch(launch) ?? []);
  }

  #bindLaunch(launch: Launch): Run | undefined {
    const recognised = this.#runs.recognise(launch);
    if (recognised === undefined || this.#reach.endsAtLaunch(launch.place)) return undefined;
    return this.#runs.bind(launch, recognised);
  }

  #check(run: Run): readonly Finding[] {
    const own = this.#runFindings.of(run);
    const isAlone = run.launch === undefined && own.some(({ severity }) => severity === 'error');
    const findings = isAlone ? comparedWithRuns(own, this.#startingRuns()) : own;
    this.#checked.push({ run, findings });
    this.#reach.addLaunch();
    for (const document of run.documents) {
      if (document.path !== this.#path) this.#sources.add(document.path);
      const loader = frameworkOf(run.framework)?.yamlLoader ?? 'pyyaml';
      for (const finding of yamlFindings(document, this.#parts.commonRules, loader)) this.#report(finding);
    }
    return findings;
  }
}

function renderingAssumed(path: string, side: number): Assumption {
  const text = side === 0 ? 'the conditions of the template hold' : 'conditions of the template do not hold';
  return { place: { path, span: { start: 0, end: 0 } }, kind: 'branch', text };
}
