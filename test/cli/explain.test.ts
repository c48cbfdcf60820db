import { describe, expect, it } from 'vitest';
import { workspaces } from '../support/workspace.ts';

const workspace = workspaces();

describe('oomlint explain and rules', () => {
  it('explains a rule with or without its framework', () => {
    const made = workspace();
    const done = made.run(['explain', 'megatron-lm/cpu-offload-needs-one-stage']);
    expect(done.code).toBe(0);
    expect(made.run(['explain', 'cpu-offload-needs-one-stage']).out).toContain(done.out.trim());
    expect(done.out).toContain('transformer_config.py');
    expect(done.out).toMatch(/^ {2}fix {7}.+ \(cost: /m);
  });

  it('lists the rules that a word could mean, within the line width', () => {
    const made = workspace();
    const word = made.run(['explain', 'expert-grid']);
    expect(word).toMatchObject({ code: 2, err: expect.stringMatching(/no rule is called expert-grid\./) });
    expect(word.err).toContain('\n  slime/expert-grid-does-not-tile-the-gpus\n');
    expect(made.run(['explain', 'recompute']).err).toMatch(/(?:\n {2}[\w/-]+){12}\n {2}… and \d+ more\n/);
    expect(made.run(['explain', 'no-such-word']).err).not.toContain('in their names');
    expect(made.run(['explain', 'slime/cpu-offload-needs-one-stage']).err).toContain(
      'Did you mean megatron-lm/cpu-offload-needs-one-stage?',
    );
    expect(made.run(['explain', 'slime']).err).toContain('(oomlint rules --framework slime lists them)');
    const long = made.run(['explain', 'missing-source'], '', { COLUMNS: '60' }).out.split('\n');
    expect(long.filter((line) => line.length > 60 && !line.includes('https:'))).toEqual([]);
  });

  it('lists rules, all or of one framework', () => {
    const made = workspace();
    const all = JSON.parse(made.run(['rules', '--format', 'json']).out).rules;
    const slime = JSON.parse(made.run(['rules', '--format', 'json', '--framework', 'slime']).out).rules;
    expect(slime.length).toBeGreaterThan(50);
    expect(all.length).toBeGreaterThan(slime.length);
    const named = made.run(['rules']).out.matchAll(/^[a-z]+ +(\S*\/\S+)$/gm);
    const shown = [...named].map(([, id = '']) => id);
    expect(shown.length).toBeGreaterThan(slime.length);
    expect(shown).toEqual([...shown].sort());
    expect(made.run(['rules', '--framework', 'none']).code).toBe(2);
  });
});
