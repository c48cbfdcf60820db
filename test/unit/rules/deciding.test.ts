import { describe, expect, it } from 'vitest';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/run.sh';

/** The text that a rule points at in a launch of SkyRL, and the related text that it shows. */
function pointedAt(rule: string, overrides: string): readonly string[] {
  const text = `python -m skyrl.train.entrypoints.main_base ${overrides}\n`;
  const findings = lintFile(path, text).findings;
  return findings
    .filter((finding) => finding.rule === rule)
    .flatMap(({ place, related }) => [place, ...related.map((other) => other.place)])
    .map(({ span }) => text.slice(span.start, span.end));
}

describe('a rule about several settings', () => {
  const profiler =
    'trainer.policy.torch_profiler_config.enable=true trainer.policy.torch_profiler_config.save_path=/traces';

  it('points at the one that is wrong, not at the first that it knows', () => {
    const wrong =
      'trainer.policy.torch_profiler_config.ranks=[0] trainer.policy.torch_profiler_config.active=0';
    expect(pointedAt('skyrl/profiler-settings', `${profiler} ${wrong}`)[0]).toBe('0');
  });

  it('shows none of those that made no difference', () => {
    const wrong =
      'trainer.policy.torch_profiler_config.ranks=[0] trainer.policy.torch_profiler_config.export_type=html';
    expect(pointedAt('skyrl/profiler-settings', `${profiler} ${wrong}`)).toEqual(['html', 'true']);
  });

  it('keeps its order if all of them are to blame', () => {
    const wrong =
      'trainer.policy.torch_profiler_config.ranks=[0] trainer.policy.torch_profiler_config.wait=-1 trainer.policy.torch_profiler_config.skip_first=-2';
    expect(pointedAt('skyrl/profiler-settings', `${profiler} ${wrong}`).slice(0, 2)).toEqual(['-2', '-1']);
  });

  it('does not depend on those at their default that decide nothing, though more words could change them', () => {
    const text =
      'torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --deterministic-mode --tp-comm-overlap "$@"\n';
    const reported = lintFile(path, text).findings.filter(
      ({ rule }) => rule === 'megatron-lm/deterministic-options',
    );
    expect(reported.map(({ severity, certainty }) => ({ severity, certainty }))).toEqual([
      { severity: 'error', certainty: 'certain' },
    ]);
  });
});
