import { describe, expect, test } from 'vitest';
import { evaluate, lines, shown } from './support.ts';

describe('files', () => {
  test('are sourced through the idioms of script folders', () => {
    const files = {
      '/repo/scripts/models/m.sh': 'ARGS=(--layers 4 [0]*2+[1]*3)',
      '/repo/scripts/v.txt': 'v1\n',
    };
    const text = `DIR="$(cd "$(dirname "\${BASH_SOURCE[0]}")" &>/dev/null && pwd)"
source "$DIR/models/m.sh"
python $DIR/t.py "\${ARGS[@]}" $(cat $DIR/v.txt) $(basename "$0") $(realpath $0)`;
    const { commands, sources } = evaluate(text, { files });
    expect(commands.map(({ words }) => words.map(shown).join(' '))).toEqual([
      'python /repo/scripts/t.py --layers 4 [0]*2+[1]*3 v1 run.sh /repo/scripts/run.sh',
    ]);
    expect(sources).toEqual(['/repo/scripts/models/m.sh', '/repo/scripts/v.txt']);
  });

  test('that the workspace certainly lacks are reported', () => {
    const { problems } = evaluate(
      'source scripts/none.sh; source /venv/bin/activate; source $HOME/x; python t.py',
    );
    expect(problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['missing-file', 'scripts/none.sh is not in the workspace.'],
    ]);
  });

  test.each([
    ['T=$(mktemp); echo python a >> $T; echo python b >> $T; bash $T', ['python a', 'python b']],
    ['D=$(mktemp -d); cat >> "$D/run.sh" <<< "python a"; source "$D/run.sh"', ['python a']],
    ['T=$(mktemp); make > $T; echo python b >> $T; bash $T', ['make', '<$(make)>python b']],
    ['T=$(mktemp -u); echo python b >> $T; cat $T', []],
  ])('that mktemp makes are empty: %s', (text, wanted) => {
    expect(lines(text)).toEqual(wanted);
  });

  test.each([
    'T=$(mktemp); generate --to $T; echo b >> $T; python $(cat $T)',
    'export T=$(mktemp); generate; echo b >> $T; python $(cat $T)',
    'D=$(mktemp -d); generate <<< "to $D/a"; echo b >> $D/a; python $(cat $D/a)',
    'D=$(mktemp -d); cd $D; generate; echo b >> $D/a; python $(cat $D/a)',
    'D=$(mktemp -d); cp -r /opt/a $D/; echo b >> $D/a; python $(cat $D/a)',
    'D=$(mktemp -d); cp -r /opt/. $D; echo b >> $D/a; python $(cat $D/a)',
    'D=$(mktemp -d); cp $X/* $D/; echo b >> $D/a; python $(cat $D/a)',
  ])('that mktemp makes hold what a program has written into them: %s', (text) => {
    expect(lines(text).at(-1)).toMatch(/^python .*<.*>b$/);
  });

  test.each([
    'X=1; echo "export X=2" >> ~/.bashrc; source ~/.bashrc; python $X',
    'X=1; echo X=2 >> /opt/base.env; echo "X+=3" >> /opt/base.env; . /opt/base.env; python ${X%3}',
  ])('that a script appends to count as far as they are its own: %s', (text) => {
    expect(lines(text)).toEqual(['python 2']);
  });

  test.each([
    ['bash none.sh || python x; python y', ['bash none.sh', 'python x', 'python y']],
    ['if bash none.sh; then python a; else python b; fi', ['bash none.sh', 'python a', 'python b']],
    ['bash none.sh; python y', ['bash none.sh', 'python y']],
  ])('that are to be run and are missing may be there if the script checks: %s', (text, wanted) => {
    expect(lines(`cd /repo; ${text}`)).toEqual(wanted);
  });

  test('that a program writes may be empty or not', () => {
    expect(lines('other > log; if [ -s log ]; then A=1; else A=2; fi; python $A')).toEqual([
      'other',
      'python 2',
      'python 1',
    ]);
  });

  test.each([
    ['set -e\nW=$(cat w.txt)', ['w.txt is there']],
    ['set -e\nhead -n 1 w.txt', ['w.txt is there']],
    ['set -eo pipefail\nW=$(cat w.txt | tr a b)', ['w.txt is there']],
    ['W=$(cat w.txt) || exit 1', ['w.txt is there']],
    ['W=$(cat w.txt)', []],
    ['set -e\nW=$(cat w.txt || echo a)', []],
    ['set -e\nhead -n 1 known.txt; tail -2 known.txt', []],
  ])('that a script cannot do without are assumed to exist: %s', (text, reported) => {
    const { commands } = evaluate(`${text}\npython t.py`, { files: { '/repo/known.txt': 'a\n' } });
    const last = commands.at(-1);
    expect(last?.assumptions.map(({ text: assumed }) => assumed)).toEqual(reported);
  });

  test('written by the script exist', () => {
    expect(
      lines(`D=4
cat > /tmp/job.sh <<EOF
#!/bin/bash
#SBATCH --nodes=$D
python t.py $D \\$E
EOF
[ -f /tmp/job.sh ] && sbatch /tmp/job.sh`),
    ).toEqual(['sbatch /tmp/job.sh', 'python t.py 4 <$E*>']);
  });
});

describe('files that a program changes', () => {
  const files = { '/repo/v.sh': 'TP=3\nPP=2\n' };
  const given = (text: string): readonly string[] =>
    lines(`${text}\nsource v.sh; python t.py $TP $PP`, { files }).filter((line) => line.startsWith('python'));

  test.each([
    ['sed -i "s/TP=3/TP=4/" v.sh', '4 2'],
    ['sed -i.bak -e s/3/4/ -e s/2/8/ v.sh', '4 8'],
    ['sed -i.bak s/3/4/ v.sh; sed s/4/9/ v.sh.bak > v.sh', '3 2'],
    ['perl -pi.orig -e s/3/4/ v.sh; mv v.sh.orig v.sh', '3 2'],
    ['sed -Ei "s/(TP)=.*/\\1=16/" v.sh', '16 2'],
    ['sed --in-place s/nothing/else/ v.sh', '3 2'],
    ['cp v.sh w.sh; sed -i s/3/4/ w.sh; mv w.sh v.sh', '4 2'],
    ['perl -pi -e "s/3/4/" v.sh', '<$TP*> <$PP*>'],
    ['sed -i "s/3/$N/" v.sh', '<$N*> 2'],
    ['sed -i "s/3/$N/; s/^PP=.*/PP=$((M))/" v.sh', '<$N*> <$((M))>'],
    ['sed "s/3/$N/" v.sh | sed -e s/2/8/ > w.sh; mv w.sh v.sh', '<$N*> 8'],
    ['sed -i "1i TP=$N" v.sh', '3 2'],
    ['sed -i "s/$N/4/" v.sh', '<$TP*> <$PP*>'],
    ['sed -i "/$N/d" v.sh', '<$TP*> <$PP*>'],
    ['sed -i "s/3/$N/; s/a/b/" v.sh', '<$TP*> <$PP*>'],
    ['sed -i "s/3/$N/; s/TP=[0-9]*$/TP=1/" v.sh', '<$TP*> <$PP*>'],
    ['sed -i "s/3/$N/; s/TP=.*/TP=1/" v.sh', '1 2'],
    ['sed -n "s/3/4/p" v.sh', '3 2'],
    ['perl -ne "print if /3/" v.sh', '3 2'],
    ['yq -i ".a = 3" other.yaml', '3 2'],
  ])('contain what it made of them: %s', (text, words) => {
    expect(given(text)).toEqual([`python t.py ${words}`]);
  });

  test('are reported', () => {
    const { written } = evaluate('sed -i s/3/4/ v.sh; echo a > b.yaml; yq -i .a=3 c.yaml; cat > $D/e <<< 3', {
      files: { ...files, '/repo/c.yaml': 'a: 1' },
    });
    expect([...written].sort()).toEqual(['/repo/b.yaml', '/repo/c.yaml', '/repo/v.sh']);
  });
});

describe('files whose names are not fully known', () => {
  test('need the argument that names them', () => {
    const [command] = evaluate('N=$(wc -l < $1); M=$(wc -l < $(hostname)); python t.py $N $M').commands;
    const reasons = command?.words.flatMap(({ pieces }) =>
      pieces.flatMap((piece) => (piece.kind === 'hole' ? [piece.reason] : [])),
    );
    expect(reasons).toEqual(['positional', 'outside']);
  });

  test.each([
    ['D=$SCRATCH/jobs', '$D/run.sbatch', 'sbatch <$SCRATCH*>/jobs/run.sbatch'],
    ['F=$(mktemp)', '$F', 'sbatch <$(mktemp)*>'],
    ['', 'job_$1.sh', 'sbatch job_<$1>.sh'],
    ['N=run_$(date +%s)', '"$N".sh', 'sbatch run_<$(date +%s)>.sh'],
  ])('contain what the script wrote: %s %s', (before, name, reported) => {
    const write = `cat > ${name} <<'EOF'\n#!/bin/bash\npython t.py\nEOF\n`;
    const [first, ...rest] = lines(`${before}\n${write}sbatch ${name}`);
    expect([first?.replace('*>', '>'), ...rest]).toEqual([reported.replace('*>', '>'), 'python t.py']);
  });

  test('have commands at their lines in the here-document', () => {
    const text =
      'D=$X\ncat > $D/a.sh <<EOF\n#!/bin/bash\necho a\npython t.py --tp $TP --x\nEOF\nsbatch $D/a.sh';
    const place = evaluate(text).commands.at(-1)?.place.span;
    expect(text.slice(place?.start, place?.end)).toBe('python t.py --tp $TP --x');
  });

  test('are sourced, run directly, appended to and copied', () => {
    const text = `F=$(mktemp)
echo '#!/bin/bash' > $F
echo 'python t.py "$A"' | tee -a $F
A=1; source $F
chmod +x $F; $F
cat $F > /tmp/other.sh; bash /tmp/other.sh`;
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual([
      'python t.py 1',
      'python t.py <$A>',
      'python t.py <$A>',
    ]);
  });

  test.each([
    ['[[ $F == true ]]', 'python a.py'],
    ['[ "$F" = yes ]', 'python a.py'],
    ['[ "$F" = /tmp/a ]', 'python a.py python b.py'],
  ])('have made-up names that are not words people write: %s', (condition, started) => {
    const text = `F=$(mktemp)\n${condition} && A=b || A=a\npython $A.py`;
    expect([...lines(text)].sort().join(' ')).toBe(started);
  });

  test('differ if what the script made their names from differs', () => {
    const text =
      'A=$(mktemp); B=$(mktemp -u); echo "python a.py" > $A; echo "python b.py" > $B; bash $A; bash $B';
    expect(lines(text)).toEqual(['python a.py', 'python b.py']);
    expect(lines('echo "python a.py" > $X/a.sh; bash $Y/a.sh')).toEqual(['bash <$Y>/a.sh']);
  });
});

describe('files missing from the workspace', () => {
  const guard = '[ -f out/model.bin ] || { echo "no model"; exit 1; }; python evaluate.py';

  test('may have been created by an earlier program', () => {
    expect(lines(`python train.py; ${guard}`)).toEqual(['python train.py', 'python evaluate.py']);
    expect(lines('git clone https://host/tool; cd tool && python setup.py')).toContain('python setup.py');
  });

  test.each([
    'cat out/latest.txt > /dev/null',
    'head -n 1 out/latest.txt',
    'cp out/latest.txt /tmp/x',
    'mv out/a out/b',
    'rm out/latest.txt',
    'mkdir scripts',
  ])('may exist for a program in a condition: %s', (condition) => {
    const text = `if ${condition}; then A=1; else A=2; fi; python evaluate.py $A`;
    expect(lines(text, { files: { '/repo/scripts/a.sh': '' } })).toEqual([
      'python evaluate.py 2',
      'python evaluate.py 1',
    ]);
  });

  test.each(['rm -f out/a', 'mkdir -p scripts', 'cp $X out/a', 'cat /data/x', 'mkdir out'])(
    'do not matter to %s',
    (condition) => {
      expect(lines(`${condition} || exit 1; python evaluate.py`)).toEqual(['python evaluate.py']);
    },
  );

  test('are absent if no such program ran', () => {
    const answer = 'if [ -f out/model.bin ]; then A=1; else A=2; fi; python evaluate.py $A';
    expect(lines(`ray stop; ${answer}`)).toEqual(['ray stop', 'python evaluate.py 2']);
  });
});

describe('files that are no longer the same', () => {
  const files = { '/repo/conf/a.sh': 'X=old', '/repo/conf/b.sh': 'X=b' };

  test.each([
    [
      'a folder that the script replaces',
      'rm -rf conf; cp -r /data/conf conf; . conf/a.sh; python t.py $X',
      '<$X*>',
    ],
    [
      'one that it takes away and makes anew',
      'rm -r conf; mkdir conf; echo X=1 > conf/a.sh; . conf/a.sh; python t.py $X',
      '1',
    ],
    [
      'what is in a folder that it moves',
      'mv conf c2; for f in conf/*.sh; do python t.py $f; done',
      '<conf/*.sh*>',
    ],
    [
      'what a program may have made',
      'python gen.py; for f in out/*.sh; do python t.py $f; done',
      '<out/*.sh*>',
    ],
    ['but not the value of an option', 'python gen.py; python t.py --x=[a,*]', '--x=[a,*]'],
  ])('%s', (_, text, expected) => {
    expect(lines(text, { files }).at(-1)).toBe(`python t.py ${expected}`);
  });
});

describe('a file made by the script that a pattern may remove', () => {
  test.each(['rm -f $D/done_*', 'rm $D/done_?', 'mv $D/done_* old/'])('may be gone after %s', (line) => {
    const text = `touch $D/done_1; ${line}; if [ -f $D/done_1 ]; then A=1; else A=2; fi; python t.py $A`;
    expect([...lines(text)].sort()).toEqual(['python t.py 1', 'python t.py 2']);
  });

  test.each(['rm -f done_*', 'rm done_?', 'mv done_* old/'])('is gone if its name is known: %s', (line) => {
    const text = `touch done_1; ${line}; if [ -f done_1 ]; then A=1; else A=2; fi; python t.py $A`;
    expect(lines(text)).toEqual(['python t.py 2']);
  });

  test.each(['rm -f other_*', 'rm -f sub/done_*', 'rm *.log'])('still exists after %s', (line) => {
    const text = `touch done_1; ${line}; if [ -f done_1 ]; then A=1; else A=2; fi; python t.py $A`;
    expect(lines(text)).toEqual(['python t.py 1']);
  });

  test('remains if it is a folder and only files go', () => {
    expect(lines('mkdir done_1; rm -f done_*; [ -d done_1 ] && python t.py')).toEqual(['python t.py']);
  });
});

describe('what is written under a name that is not known', () => {
  test.each([
    ['cat > /tmp/job_$$.sh <<< "python t.py"; bash /tmp/job_$$.sh'],
    ['echo python t.py > run_$$.sh && . ./run_$$.sh'],
    ['D=$(mktemp -d); echo python t.py > "$D/run.sh"; cd "$D" && bash run.sh'],
    ['D=/tmp/$RANDOM; echo python t.py > $D/run.sh; (cd $D; ./run.sh)'],
    ['J=$(mktemp); echo python t.py > $J; chmod +x $J; $J'],
    ['D=$(mktemp -d); cd "$D"; echo python t.py > run.sh; cd /; bash $D/run.sh'],
  ])('is found where the same name leads to it: %s', (text) => {
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual(['python t.py']);
  });

  test.each([
    ["echo python t.py > /tmp/$$.sh; bash -c 'bash /tmp/$$.sh'"],
    ['D=$(mktemp -d); echo python t.py > $D/run.sh; cd $D; cd ..; bash run.sh'],
    ['D=$(mktemp -d); echo python t.py > $D/run.sh; cd $(mktemp -d); bash run.sh'],
    ['f() { D=$(mktemp -d); }; f; echo python t.py > $D/run.sh; f; bash $D/run.sh'],
    ['f() { D=$(mktemp -d); cd $D; }; f; echo python t.py > run.sh; f; bash run.sh'],
    ['f() { T=$(mktemp); }; f; echo python t.py > $T; f; bash $T'],
    ['f() { T=/tmp/$RANDOM.sh; }; f; echo python t.py > $T; f; bash $T'],
    ['f() { D=/tmp/r$RANDOM; cd $D; }; f; echo python t.py > run.sh; f; bash run.sh'],
    ['f() { D=$(date +%s%N); cd $D; }; f; echo python t.py > run.sh; cd ..; f; bash run.sh'],
  ])('is not found under another: %s', (text) => {
    expect(lines(text).filter((line) => line.startsWith('python'))).toEqual([]);
  });
});

test('of several words behind a text the first one names it, and how many are left is not known', () => {
  expect(lines('bash -c \'python "$0" "$@"\' $X y')).toEqual(['python <$X> <$X*> y']);
});
