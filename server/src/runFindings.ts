import { FixAllowance } from './fixes/allowance.ts';
import { planFix } from './fixes/plan.ts';
import { nothingParsed } from './fixes/work.ts';
import type { Run, Scope } from './frameworks/framework.ts';
import type { Knowledge, OptionFact } from './frameworks/knowledge.ts';
import { optionsByName } from './frameworks/options.ts';
import type { LinterParts } from './linter.ts';
import { checkRun } from './rules/check.ts';
import type { Finding } from './rules/finding.ts';
import { launchFindings } from './rules/launches/ofLaunch.ts';
import type { FixPlanner } from './rules/plannedChange.ts';
import { bindingFindings, withoutSuperseded } from './rules/problems.ts';
import { isUnloadable, isUnreadable, outsideUnreadLines } from './rules/yamlProblems.ts';
import { isYamlName } from './text/fileNames.ts';
import type { Host } from './value/host.ts';

/** Finds the problems of the runs of one file, and plans the edits that fix them. */
export class RunFindings {
  readonly #parts: LinterParts;
  readonly #host: Host;
  /** Parse results for fixes, shared by all fixes of the file. */
  readonly #parsed = nothingParsed();
  readonly #allowance: FixAllowance;
  readonly #runs: () => readonly Run[];

  /**
   * @param host the workspace with the text of the file at `path`
   * @param runs the runs found in the file so far
   */
  constructor(path: string, text: string, parts: LinterParts, host: Host, runs: () => readonly Run[]) {
    this.#parts = parts;
    this.#host = host;
    this.#runs = runs;
    this.#allowance = new FixAllowance(text, isYamlName(path) ? 'yaml' : 'script');
  }

  /** The findings of a run: of its launch, of its words, and of the framework's constraints. */
  of(run: Run): readonly Finding[] {
    const { knowledgeOf, commonRules: common } = this.#parts;
    const read = (at: string): string | undefined => this.#host.read(at);
    const fromLaunch = launchFindings(run, common, this.#host);
    if (isUnreadable(run)) return fromLaunch;
    // A fix must leave a file that can be read; this one cannot be until its syntax is fixed.
    const isMendable = !isUnloadable(run);
    const planFix: FixPlanner = isMendable ? this.#planFix : () => undefined;
    const mayPlan = (): boolean => isMendable && this.#allowance.ask();
    const fromConstraints = checkRun(run, {
      knowledgeOf,
      optionsOf,
      planFix,
      mayPlan,
      runs: this.#runs,
    });
    const fromBinding = withoutSuperseded(bindingFindings(run, common, planFix, read), fromConstraints);
    return outsideUnreadLines([...fromLaunch, ...fromBinding, ...fromConstraints], run);
  }

  /** Whether fixes were looked for wherever one was requested so far; they are planned when they are read. */
  get plannedAll(): boolean {
    return this.#allowance.sufficed;
  }

  readonly #planFix: FixPlanner = (change, run, scope) => {
    if (!this.#allowance.take()) return undefined;
    return planFix(change, run, scope, {
      read: (path) => this.#host.read(path),
      option: (name) => this.#option(name, run, scope),
      parsed: this.#parsed,
      spend: (characters, kind) => this.#allowance.spend(characters, kind),
    });
  };

  /** An option of a scope's set, or of a related set whose flags the program accepts as well, as slime accepts Megatron-LM's. */
  #option(name: string, { scopes }: Run, scope: Scope): OptionFact | undefined {
    const optionIn = ({ set }: Scope): OptionFact | undefined =>
      optionsOf(this.#parts.knowledgeOf(set)).get(name);
    const spelled = scope.spelling(name);
    const isTaken = (option: OptionFact | undefined): boolean => option?.flags?.includes(spelled) === true;
    return optionIn(scope) ?? scopes.map(optionIn).find(isTaken);
  }
}

function optionsOf(knowledge: Knowledge): ReadonlyMap<string, OptionFact> {
  return optionsByName(knowledge.options);
}
