import { describe, expect, test } from 'vitest';
import { runPure } from '../../../../server/src/bash/library/commands.ts';
import { processorTime } from '../../../support/processorTime.ts';
import { runReal } from './real.ts';

const nothing = { read: () => undefined };
const topology = 'GPU0\t X \tNV18\tNV18\nGPU1\tNV18\t X \tNV4\n';
const table = 'alpha beta gamma\none two three\n\nx=1 y=22 z=333\n';
const versions = 'CUDA release 12.9, V12.9.86\nBuild cuda_12.9.r12.9\n';

/** Commands whose output must be computed and match the real one: words of the command, standard input. */
const computed: readonly (readonly [readonly string[], string])[] = [
  [['grep', '-o', 'NV[0-9][0-9]*'], topology],
  [['grep', '-oE', 'NV[0-9]+'], topology],
  [['grep', '-c', 'NV'], topology],
  [['grep', '-v', 'GPU0'], topology],
  [['grep', '-i', 'nv4'], topology],
  [['grep', '-q', 'NV4'], topology],
  [['grep', '-q', 'PIX'], topology],
  [['grep', '-w', 'X'], topology],
  [['grep', '-n', 'beta'], table],
  [['grep', '-x', 'one two three'], table],
  [['grep', '-F', 'x=1'], table],
  [['grep', '-m1', 'a'], table],
  [['grep', '-e', 'one', '-e', 'x='], table],
  [['grep', '-E', '^(one|x=[0-9]+) '], table],
  [['grep', '-oE', 'a|al|alp'], table],
  [['grep', '-oE', '[a-z]=[0-9]{2,}'], table],
  [['grep', '-oP', 'release \\K[0-9.]+'], versions],
  [['grep', '-oP', '(?<=V)\\d+\\.\\d+'], versions],
  [['grep', '-o', '[0-9]\\+\\.[0-9]\\+'], versions],
  [['grep', '-c', '.'], ''],
  [['grep', '-ow', 'two\\|tw'], table],
  [['egrep', 'one|x='], table],
  [['sed', 's/a/A/'], table],
  [['sed', 's/a/A/g'], table],
  [['sed', 's/a/A\\\nB/g'], table],
  [['sed', 's/a/A/2'], table],
  [['sed', '-n', '2p'], table],
  [['sed', '-n', '$p'], table],
  [['sed', '2,3d'], table],
  [['sed', '1!d'], 'a\nb'],
  [['sed', '-n', '1!d'], 'a\nb'],
  [['sed', '$!d'], 'a\nb'],
  [['sed', '-n', '$!d'], 'a\nb'],
  [['sed', '$i x'], 'a\nb'],
  [['sed', '-n', '$i x'], 'a\nb'],
  [['sed', '$a x'], 'a\nb'],
  [['sed', '-n', '$a x'], 'a\nb'],
  [['sed', '2q'], 'a\nb'],
  [['sed', '-n', '2q'], 'a\nb'],
  [['sed', 's/b/d/p'], 'a\nb'],
  [['sed', '-n', 's/b/d/p'], 'a\nb'],
  [['sed', '-n', '1p'], 'a\nb'],
  [['sed', '-n', '$p;1p'], 'a\nb'],
  [['sed', '/^$/d'], table],
  [['sed', '-n', '/one/,/x=/p'], table],
  [['sed', '-n', 's/.*y=\\([0-9]*\\).*/\\1/p'], table],
  [['sed', '-E', 's/([a-z])=([0-9]+)/\\2:\\1/g'], table],
  [['sed', 's|/\\*\\*/\\*\\.py$||'], 'src/**/*.py\n'],
  [['sed', 's/^\\[//;s/\\]$//'], '[1,2]\n'],
  [['sed', 's/  \\+/ /g'], 'a   b  c d\n'],
  [['sed', 's/.*release //'], versions],
  [['sed', 's/,.*//'], versions],
  [['sed', 's/[^a-z0-9._-]/-/g'], 'Feat/X_1.2\n'],
  [['sed', 's/x*/-/g'], 'abc\n'],
  [['sed', 's/b*/x/g'], 'baaac\n'],
  [['sed', '-e', 's/a/b/', '-e', 's/b/c/'], 'a b\n'],
  [['sed', '1!d'], table],
  [['sed', '2q'], table],
  [['sed', 'y/abc/xyz/'], table],
  [['sed', 's/e/&&/I'], 'Eve'],
  [['sed', 's/ /\\n/g'], 'a b c\n'],
  [['sed', 's#/#_#g'], 'a/b/c\n'],
  [['sed', '1s/^/- /'], table],
  [['sed', '$a last line'], table],
  [['sed', '1i\\  first'], table],
  [['sed', '2c\\\nnew; one'], table],
  [['sed', '-e', '/one/a x', '-e', '/one/i y', '-e', 's/o/0/'], table],
  [['sed', '-n', '2a x'], table],
  [['sed', '1d;1a x'], table],
  [['sed', '2q;2a x'], table],
  [['sed', '$a end'], 'no newline'],
  [['sed', '$i end'], 'no newline'],
  [['sed', '2c end'], 'a\nb\nno newline'],
  [['tr', 'a-z', 'A-Z'], table],
  [['tr', '[:upper:]', '[:lower:]'], 'AbC\n'],
  [['tr', '-d', '\\n'], table],
  [['tr', '-d', ' '], table],
  [['tr', '\\n', ' '], table],
  [['tr', '/:@', '-'], 'a/b:c@d'],
  [['tr', '-cd', '[:alnum:]_.-'], 'a/b:c@d-1.2_x'],
  [['tr', '-s', ' '], 'a   b'],
  [['tr', '-d', '[:space:]'], ' a b \n'],
  [['tr', ',', '\\n'], '0,1,2'],
  [['tr', '-dc', '0-9'], 'a1b2'],
  [['tr', '.', '_'], 'a.b.c'],
  [['tr', '/:', '--'], 'a/b:c'],
  [['tr', '-s', '--', '-', '_'], 'a--b-c'],
  [['tr', '[:upper:]/', '[:lower:]-'], 'Org/Model_7B'],
  [['tr', '_[:lower:]', '-[:upper:]'], 'my_model'],
  [['tr', 'A-Z_', 'a-z-'], 'My_Model'],
  [['cut', '-d=', '-f2'], table],
  [['cut', '-f1', '-d='], table],
  [['cut', '-d', '.', '-f1,2'], '12.9.86\n'],
  [['cut', '-d', ' ', '-f2-'], table],
  [['cut', '-c1-3'], table],
  [['cut', '-d:', '-f1', '-s'], table],
  [['head', '-1'], table],
  [['head', '-n1'], table],
  [['head', '-n', '2'], table],
  [['head', '-n', '-1'], table],
  [['head', '-c', '5'], table],
  [['tail', '-1'], table],
  [['tail', '-n', '2'], table],
  [['tail', '-n', '+2'], table],
  [['wc', '-l'], table],
  [['wc', '-l'], 'no newline'],
  [['wc', '-w'], table],
  [['wc', '-c'], table],
  [['rev'], 'abc\nde\n'],
  [['tac'], 'a\nb\nc\n'],
  [['uniq'], 'a\na\nb\n'],
  [['uniq', '-c'], 'a\na\nb\n'],
  [['sort'], 'b\na\nc\n'],
  [['sort', '-r'], 'conf/run_a.yaml\nconf/run_b2.yaml\nconf/run_b10.yaml\nconf/run_a.yaml\n'],
  [['sort', '-n'], '10\n9\n-1\n2.5\n'],
  [['sort', '-rn'], '10\n9\n100\n'],
  [['sort', '-u'], 'b\na\nb\n'],
  [['sort', '-V'], '1.10.0\n1.9.3\n1.9\n'],
  [['sort', '-V'], 'iter_100\niter_20\niter_0003\n'],
  [['sort', '-rV'], 'ckpt/global-step-9\nckpt/global-step-10\nckpt/global-step-1.5\n'],
  [['sort', '-uV'], 'a_10\na_2\na_10\n'],
  [['sort', '-t,', '-k2', '-n'], 'a,3\nb,1\nc,2\n'],
  [['paste', '-sd,'], 'a\nb\nc\n'],
  [['paste', '-sd', ',', '-'], 'a\nb\nc\n'],
  [['paste', '-d', ' ', '-', '-'], 'a\nb\nc\nd\n'],
  [['xargs'], '  a  b \n c\n'],
  [['xargs', 'echo', '-x'.slice(1)], 'a b'],
  [['xargs', '-n', '1'], 'a b c'],
  [['xargs', 'basename'], '/a/b.sh'],
  [['xargs', '-n1', 'basename'], 'x/a.yaml\nx/b.yaml\n'],
  [['xargs'], '\'a  b\' c\\ d "e"'],
  [['cat'], table],
  [['seq', '5'], ''],
  [['seq', '2', '5'], ''],
  [['seq', '0', '2', '7'], ''],
  [['seq', '5', '-1', '1'], ''],
  [['seq', '-s', ',', '3'], ''],
  [['seq', '-w', '8', '11'], ''],
  [['seq', '0.5', '0.5', '2'], ''],
  [['seq', '3', '1'], ''],
  [['seq', '1', ''], ''],
  [['seq', '1', 'many'], ''],
  [['expr', '3', '+', '4'], ''],
  [['expr', '7', '/', '2'], ''],
  [['expr', '2', '*', '(', '3', '+', '4', ')'], ''],
  [['expr', '3', '-', '3'], ''],
  [['expr', 'abc', ':', 'a\\(.\\)'], ''],
  [['expr', 'abc', ':', 'ab'], ''],
  [['expr', '3', '<', '10'], ''],
  [['expr', 'length', 'hello'], ''],
  [['expr', 'substr', 'hello', '2', '3'], ''],
  [['basename', '/a/b.sh', '.sh'], ''],
  [['basename', '-s', '.sh', 'a.sh', 'b.sh'], ''],
  [['dirname', '/a/b', 'c', '/'], ''],
  [['realpath', '-ms', '/a/../b/./c'], ''],
  [['expr', 'index', 'hello', 'lo'], ''],
  [['expr', 'index', 'hello', 'z'], ''],
  [['expr', 'match', 'abc', 'a\\(.\\)'], ''],
  [['expr', '+', 'length'], ''],
  [['expr', 'substr', 'hello', 'x', '3'], ''],
  [['expr', 'substr', 'hello', '4', '100'], ''],
  [['awk', '{rank[$1]=NR-1} END{print rank["one"]}'], table],
  [['awk', '!seen[$1]++{n++} END{print n}'], table],
  [['awk', '{split($1,a,"="); s+=a[2]} END{print s+0, ("q" in a), ("x" in b)}'], table],
  [['awk', '{for(i=NF;i>0;i--) printf "%s ", $i; print ""}'], table],
  [['awk', 'BEGIN{n=split("a:b:c",p,":"); while(n>0) s=s p[n--]; print s, p[9]/2}'], ''],
  [['awk', 'BEGIN{x["a"]=1; for (k in x) print k; delete x["a"]; print length(x), 8/2/2}'], ''],
  [['awk', '{print $2}'], table],
  [['awk', '{print $NF}'], table],
  [['awk', '-F=', '{print $2}'], table],
  [['awk', '-F', ': ', '/test_cmd:/ {print $2}'], 'a\ntest_cmd: pytest -q\n'],
  [['awk', '-F.', '{print $1"."$2}'], '12.9.86\n'],
  [['awk', 'NR==2'], table],
  [['awk', 'NR==2{print $1; exit}'], table],
  [['awk', 'NR>1 && /x/ {print NR": "$0}'], table],
  [['awk', '{s+=$1} END {print s}'], '1\n2\n3.5\n'],
  [['awk', '{s+=$1} END {printf "%.2f\\n", s/NR}'], '1\n2\n3.5\n'],
  [['awk', 'BEGIN{print 10/3, 1e6, 0.1+0.2}'], ''],
  [['awk', 'BEGIN{printf "%d %s %5.1f|\\n", 7.9, "x", 2.25}'], ''],
  [['awk', '{print NF}'], table],
  [['awk', '$1=="one"{print $3}'], table],
  [['awk', '{$2="Z"; print}'], table],
  [['awk', 'END{print NR}'], table],
  [['awk', '{ if ($1 > 5) print "big"; else print "small" }'], '10\n3\n'],
  [['awk', '-v', 'n=3', 'BEGIN{print n*2, n "x"}'], ''],
  [['awk', '{print toupper($1), length($1), substr($1, 2, 3)}'], table],
  [['awk', 'BEGIN{FS=","; OFS="-"} {print $1, $2}'], 'a,b\nc,d\n'],
  [['awk', '$1 ~ /^a/ {print}'], table],
  [['awk', '!/a/'], table],
  [['awk', '{n++} END{print n}'], table],
  [['awk', '{print ($1 > 2) ? "y" : "n"}'], '1\n3\n'],
  [['awk', '{print -$1, $1^2, $1%3}'], '5\n'],
  [['tee'], table],
  [['true'], ''],
  [['false'], ''],
];

describe('pure commands', () => {
  test.each(computed)('%j', ([name = '', ...args], input) => {
    const real = runReal(name, args, input);
    expect(runPure(name, args, input, nothing)).toEqual(real);
  });

  test('jq answers simple paths', () => {
    const json = '{"a":{"b":[1,"x",null]},"c":true}';
    const answer = (program: string, ...flags: readonly string[]) =>
      runPure('jq', [...flags, program], json, nothing)?.output;
    expect(answer('.a.b[1]', '-r')).toBe('x\n');
    expect(answer('.a.b[1]')).toBe('"x"\n');
    expect(answer('.a.missing // "none"', '-r')).toBe('none\n');
    expect(answer('.a.b | length')).toBe('3\n');
    expect(answer('.a.b', '-c')).toBe('[1,"x",null]\n');
    expect(answer('.a.b[]', '-c')).toBe('1\n"x"\nnull\n');
    expect(answer('map(.x)')).toBeUndefined();
  });

  test('files are read through the context', () => {
    const context = { read: (path: string) => (path === '/w/hosts' ? 'node1 8\nnode2 8\n' : undefined) };
    expect(runPure('wc', ['-l', '/w/hosts'], undefined, context)).toEqual({
      output: '2 /w/hosts\n',
      status: 0,
    });
    expect(runPure('awk', ['NR==1{print $1}', '/w/hosts'], undefined, context)?.output).toBe('node1\n');
    expect(runPure('cat', ['/w/absent'], undefined, context)).toBeUndefined();
  });

  test('does not guess', () => {
    const unknown: readonly (readonly [readonly string[], string | undefined])[] = [
      [['date', '+%s'], ''],
      [['hostname'], ''],
      [['cat'], undefined],
      [['sort'], 'B\na\n'],
      [['sort'], 'a_b\nab\n'],
      [['sort', '-R'], 'b\na\n'],
      [['tr', 'a-z', 'A-Z'], 'é'],
      [['grep', '-r', 'x'], ''],
      [['grep', '\\(a\\)\\1'], 'aa'],
      [['grep', '-P', '(a+)+$'], 'aaaa'],
      [['grep', '.'], 'é'],
      [['sed', '-i', 's/a/b/', 'f'], 'a'],
      [['sed', 's/\\(a\\|ab\\)\\(c\\|bcd\\)/\\2/'], 'abcd'],
      [['sed', 'N;P;D'], 'a\nb\n'],
      [['sed', '$a\\'], 'a'],
      [['sed', 'a x\\ny'], 'a'],
      [['sed', 's/a/x\ny/'], 'a'],
      [['sed', '1,2c x'], 'a\nb\n'],
      [['awk', '{a[$1]++} END{for (k in a) print k}'], 'x\ny\n'],
      [['awk', 'BEGIN{print 2^40}'], ''],
      [['awk', '{print > "f"}'], 'x'],
      [['awk', 'BEGIN{"date" | getline d; print d}'], ''],
      [['awk', 'BEGIN{print rand()}'], ''],
      [['test', '-f', '/x'], ''],
      [['[', 'a', '<', 'b', ']'], ''],
      [['seq', '1', '0.1', 'x'], ''],
      [['seq', '1000000000'], ''],
      [['head', '-n', 'x'], 'a'],
      [['wc'], 'a'],
      [['realpath', '/a'], ''],
      [['cut', '--output-delimiter', 'x', '-c1'], 'a\tb'],
      [['sha256sum'], 'a'],
    ];
    for (const [[name = '', ...args], input] of unknown) {
      expect([name, args, runPure(name, args, input, nothing)]).toEqual([name, args, undefined]);
    }
  });

  test('long lines and wide patterns take no exponential time', () => {
    const milliseconds = processorTime(() => {
      runPure('grep', ['-E', '(a+)+b'], 'a'.repeat(5000), nothing);
      runPure('grep', ['-oE', '(a|aa)+$'], `${'a'.repeat(3000)}b`, nothing);
      runPure('sed', ['-E', 's/(a*)*b/x/g'], 'a'.repeat(5000), nothing);
      expect(runPure('grep', ['-oE', 'a.*z|b'], 'ab'.repeat(5000), nothing)).toBeUndefined();
      expect(
        runPure('grep', ['-oP', '[a-z]*[a-z]*[a-z]*[a-z]*1'], 'a'.repeat(1000), nothing),
      ).toBeUndefined();
    });
    expect(milliseconds).toBeLessThan(20_000);
  });
});
