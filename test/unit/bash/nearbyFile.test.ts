import { describe, expect, it, test } from 'vitest';
import { applyEdits } from '../../../server/src/text/edit.ts';
import { lintFile } from '../../support/lintFile.ts';

const path = '/repository/scripts/low/run.sh';
const here = 'DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\n';
const launch =
  'python3 train.py "${MODEL_ARGS[@]}" --rollout-batch-size 8 --sglang-mem-fraction-static 0.7\n';

/** What is reported about a script that begins with a line, next to other files. */
function lint(line: string, others: readonly string[]) {
  const text = `${here}${line}\n${launch}`;
  const files = Object.fromEntries(others.map((each) => [each, 'MODEL_ARGS=(--num-layers 2)\n']));
  const [finding] = lintFile(path, text, files).findings.filter(({ rule }) => rule === 'missing-source');
  const [fix] = finding?.fixes ?? [];
  const edited = fix === undefined ? undefined : applyEdits(text, fix.edits);
  return {
    message: finding?.message,
    severity: finding?.severity,
    title: fix?.title,
    after: edited?.slice(here.length, edited.length - launch.length - 1),
  };
}

describe('a missing sourced file', () => {
  it('was meant without one of the folders', () => {
    expect(lint('source "$DIR/../scripts/models/m.sh"', ['/repository/scripts/models/m.sh'])).toEqual({
      message: 'scripts/scripts/models/m.sh is not in the workspace.',
      severity: 'warning',
      title: 'Use scripts/models/m.sh',
      after: 'source "$DIR/../models/m.sh"',
    });
  });

  it('was meant from a folder further up', () => {
    expect(lint('source ${DIR}/models/m.sh', ['/repository/scripts/models/m.sh'])).toMatchObject({
      title: 'Use scripts/models/m.sh',
      after: 'source ${DIR}/../models/m.sh',
    });
    expect(lint('. "$DIR"/lib/m.sh', ['/repository/lib/m.sh']).after).toBe('. "$DIR"/../../lib/m.sh');
  });

  it.each([
    ['source "$DIR/qwen3-4b.sh"', 'qwen3-4B.sh'],
    ['source "$DIR"/qwen3_4B.sh', 'qwen3-4B.sh'],
    ['source ${DIR}/comon-args.sh', 'common-args.sh'],
    ['source $DIR/common-agrs.sh', 'common-args.sh'],
    ['source $DIR/qwen3-8B.sh', undefined],
    ['source $DIR/a.sh', undefined],
    ['source $DIR/common-args-2.sh', undefined],
    ['source $DIR/twice.sh', undefined],
  ])('was meant to be one with a slightly different name: %s', (line, name) => {
    const beside = ['qwen3-4B.sh', 'common-args.sh', 'b.sh', 'Twice.sh', 'TWICE.sh'];
    const findings = lint(
      line,
      beside.map((each) => `/repository/scripts/low/${each}`),
    );
    expect(findings.title).toBe(name && `Use scripts/low/${name}`);
    expect(findings.after).toBe(name && line.replace(/[\w-]+\.sh$|[\w-]+\.sh(?="$)/, name));
  });

  it.each([
    ['set -e; source "$DIR/m.sh"', 'error'],
    ['set -euo pipefail; . "$DIR/m.sh"', 'error'],
    ['source "$DIR/m.sh"', 'warning'],
    ['source "$DIR/.venv/bin/activate"', 'info'],
    ['source activate env', undefined],
    ['set -e; source "$DIR/.env"', 'info'],
    ['set -e; source "$DIR/.env.local"', 'info'],
    ['set -e; source "$DIR/secrets.sh"', 'info'],
    ['set -e; source "$DIR/m.sh" || true', undefined],
    ['source "$DIR/m.sh" 2>/dev/null || echo none', undefined],
    ['if source "$DIR/m.sh"; then echo yes; fi', undefined],
  ])('is as severe as the script treats it: %s', (line, severity) => {
    expect(lint(line, []).severity).toBe(severity);
  });

  it('is run as a command: the script may go on without it', () => {
    expect(lint('bash "$DIR/prepare.sh"', ['/repository/scripts/prepare.sh'])).toEqual({
      message: 'scripts/low/prepare.sh is not in the workspace.',
      severity: 'warning',
      title: 'Use scripts/prepare.sh',
      after: 'bash "$DIR/../prepare.sh"',
    });
  });

  it('is run after a program that may have created it', () => {
    expect(lint('make scripts; bash "$DIR/prepare.sh"', []).message).toBeUndefined();
  });

  it('may be any of several, or none', () => {
    const several = ['/repository/scripts/models/m.sh', '/repository/models/m.sh'];
    expect(lint('source "$DIR/models/m.sh"', several).title).toBeUndefined();
    expect(lint('source "$DIR/models/m.sh"', [])).toMatchObject({
      message: 'scripts/low/models/m.sh is not in the workspace.',
      title: undefined,
    });
  });

  it('is not searched for if the end of the path is not in the script', () => {
    const findings = lint('M=/models/m.sh; source "$DIR${M%.sh}.bash"', [
      '/repository/scripts/models/m.bash',
    ]);
    expect(findings).toMatchObject({
      message: 'scripts/low/models/m.bash is not in the workspace.',
      title: undefined,
    });
  });
});

describe('a file that is expected where the script is presumed to be started', () => {
  const reported = (line: string): string | undefined => {
    const text = `set -e\n${line}\n${launch}`;
    const finding = lintFile(path, text).findings.find(({ rule }) => rule === 'missing-source');
    return finding && `${finding.severity} ${finding.certainty}`;
  };

  test.each([
    'source "$(pwd)/m.sh"',
    'source $PWD/m.sh',
    'ROOT=$(pwd); source "${ROOT}/lib/m.sh"',
    'ROOT=$(dirname "$PWD/x"); source $ROOT/m.sh',
    'ROOT=$(realpath .); source $ROOT/m.sh',
    'cd scripts; source $PWD/m.sh',
    'D=$PWD; cd "$(dirname "$0")"; cd "$D"; source $PWD/m.sh',
    'cd "$(dirname "$0")"; cd - > /dev/null; source $PWD/m.sh',
    'pushd "$(dirname "$0")"; popd; source $PWD/m.sh',
    'source m.sh',
  ])('may exist for those who start it elsewhere: %s', (line) => {
    expect(reported(line)).toBe('info likely');
  });

  test.each([
    'source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/m.sh"',
    'cd "$(dirname "$0")/.."; source $PWD/m.sh',
    'cd $(dirname $(readlink -f $0)); source "$(pwd)/m.sh"',
    'cd "${0%/*}"; cd ..; ROOT=$(pwd); source $ROOT/m.sh',
    'source "$(dirname "$(realpath "$0")")/m.sh"',
  ])('is missing wherever it is started: %s', (line) => {
    expect(reported(line)).toBe('error certain');
  });
});
