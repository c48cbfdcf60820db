import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/scripts/run.sh';

const project = `[project]
name = "skyrl"
[project.optional-dependencies]
skyrl-train = ["ray"]
fsdp = ["vllm"]
megatron = ["megatron-core"]
dev = ["pytest"]

[tool.uv]
conflicts = [[{ extra = "megatron" }, { extra = "fsdp" }, { group = "docs" }]]
`;

const program = '-m skyrl.train.entrypoints.main_base trainer.epochs=3';

function lint(
  text: string,
  files: Readonly<Record<string, string>> = { '/repository/pyproject.toml': project },
) {
  return lintFile(path, text, files).findings.filter(
    ({ rule }) => rule === 'unknown-extra' || rule === 'conflicting-extra',
  );
}

const reported = (text: string, files?: Readonly<Record<string, string>>): readonly string[] =>
  lint(text, files).map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`);

describe('extras of uv run', () => {
  it('that the project does not have are reported, and fixed if they are close to others', () => {
    const text = `uv run --isolated --extra fsdpp ${program}\n`;
    expect(reported(text)).toEqual([
      'warning unknown-extra: The project has no extra fsdpp; it has skyrl-train, fsdp, megatron, dev.',
    ]);
    const [finding] = lint(text);
    expect(finding?.related.map(({ place }) => place)).toEqual([
      { path: '/repository/pyproject.toml', span: { start: 25, end: 55 } },
    ]);
    const fixed = applyEdits(text, finding?.fixes[0]?.edits ?? []);
    expect(fixed).toBe(text.replace('fsdpp', 'fsdp'));
    expect(lint(fixed ?? '')).toEqual([]);
  });

  it('are read in one word too, and no fix is offered if none is close', () => {
    const found = lint(`uv run --extra=vllm python ${program}\n`);
    expect(found.map(({ message, fixes }) => [message, fixes.length])).toEqual([
      ['The project has no extra vllm; it has skyrl-train, fsdp, megatron, dev.', 0],
    ]);
  });

  it('that exclude each other are reported at the second one', () => {
    const text = `uv run --extra fsdp --extra dev --extra megatron ${program}\n`;
    expect(reported(text)).toEqual([
      'error conflicting-extra: The extras fsdp and megatron cannot be combined.',
    ]);
    expect(lint(text)[0]?.place.span.start).toBe(text.indexOf('megatron'));
  });

  it('that exclude each other are reported for --all-extras', () => {
    const text = `uv run --all-extras ${program}\n`;
    expect(reported(text)).toEqual([
      'error conflicting-extra: The extras megatron and fsdp cannot be combined.',
    ]);
    expect(lint(text)[0]?.place.span.start).toBe(text.indexOf('--all-extras'));
    expect(reported(`uv run --all-extras --no-extra fsdp ${program}\n`)).toEqual([]);
    expect(reported(`uv run --all-extras --no-extra "$ONE" ${program}\n`)).toEqual([]);
    expect(reported(`uv run --all-extras --no-extra dev ${program}\n`)).toHaveLength(1);
  });

  it.each([
    ['with other dashes and capitals', `uv run --extra SkyRL_train --extra dev ${program}\n`],
    ['of another project', `uv run --project other --extra vllm ${program}\n`],
    ['of a project that the environment names', `UV_PROJECT=/x uv run --extra vllm ${program}\n`],
    ['that are not installed', `uv run --no-sync --extra fsdp --extra megatron ${program}\n`],
    ['that are not known', `uv run --extra "$EXTRA" ${program}\n`],
    ['behind options that are not known', `uv run $OPTIONS --extra vllm ${program}\n`],
    ['of a folder that is not known', `cd "$1"\nuv run --extra fsdp --extra megatron ${program}\n`],
    ['given twice', `uv run --extra fsdp --extra fsdp ${program}\n`],
    ['of a folder that the repository does not have', `set -e\ncd part\nuv run --extra vllm ${program}\n`],
    ['of a folder that is no part of the repository', `cd /elsewhere\nuv run --extra vllm ${program}\n`],
  ])('cause no finding: %s', (_, text) => {
    expect(reported(text)).toEqual([]);
  });

  it.each([
    ['without a project', {}],
    [
      'with extras that its build makes',
      { '/repository/pyproject.toml': '[project]\nname = "a"\ndynamic = ["optional-dependencies"]\n' },
    ],
    [
      'without a project of its own',
      { '/repository/pyproject.toml': '[tool.uv.workspace]\nmembers = ["a"]\n' },
    ],
    ['that cannot be read', { '/repository/pyproject.toml': '[project\n' }],
    [
      'whose script lies in a part that is no project of its own',
      { '/repository/pyproject.toml': project, '/repository/scripts/pyproject.toml': '[tool.ruff]\n' },
    ],
    [
      'with another project nearer to the script',
      {
        '/repository/pyproject.toml': project,
        '/repository/scripts/pyproject.toml': project.replace('dev =', 'vllm ='),
      },
    ],
  ])('cause no finding in a repository %s', (_, files) => {
    expect(reported(`uv run --extra vllm ${program}\n`, files)).toEqual([]);
  });

  it('are checked against the project that has most of them, if several may be meant', () => {
    const files = {
      '/repository/pyproject.toml': project,
      '/repository/scripts/pyproject.toml': project.replace('"skyrl"', '"part"').replace('dev =', 'vllm ='),
    };
    expect(reported(`uv run --extra vllm --extra harbor ${program}\n`, files)).toEqual([
      'warning unknown-extra: The project has no extra harbor; it has skyrl-train, fsdp, megatron, vllm.',
    ]);
    expect(reported(`uv run --extra vllm --extra dev ${program}\n`, files)).toEqual([]);
  });

  it('are the project’s for Python, and may be those of a file that uv runs itself', () => {
    const files = {
      '/repository/pyproject.toml': project,
      '/repository/train.py':
        'from skyrl.train.entrypoints.main_base import BasePPOExp\nfrom skyrl.train.config import SkyRLTrainConfig\ncfg = SkyRLTrainConfig.from_cli_overrides(sys.argv[1:])\nBasePPOExp(cfg).run()\n',
    };
    expect(
      reported('uv run --extra vllm python -u train.py trainer.train_batch_size=3\n', files),
    ).toHaveLength(1);
    expect(reported('uv run --extra vllm -- train.py trainer.train_batch_size=3\n', files)).toEqual([]);
  });

  it('are those of the nearest project in the folder that the script changes to', () => {
    const files = {
      '/repository/pyproject.toml': project,
      '/repository/other/pyproject.toml': project.replace('dev =', 'vllm ='),
    };
    expect(reported(`cd /repository/other\nuv run --extra vllm ${program}\n`, files)).toEqual([]);
    expect(reported(`cd /repository/other\nuv run --extra dev ${program}\n`, files)).toEqual([
      'warning unknown-extra: The project has no extra dev; it has skyrl-train, fsdp, megatron, vllm.',
    ]);
  });
});
