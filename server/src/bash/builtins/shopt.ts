import { ask, outcome } from '../conditions/verdict.ts';
import { hole, knownText, made } from '../state/pieces.ts';
import { failure, type Shell, success } from '../state/shell.ts';
import { isOptionName, type SwitchName, switched } from '../state/switches.ts';
import { type Builtin, leadingOptions, textAt } from './builtin.ts';

const names: ReadonlyMap<string, SwitchName> = new Map([
  ['nullglob', 'nullglob'],
  ['failglob', 'failglob'],
  ['dotglob', 'dotglob'],
  ['globstar', 'globstar'],
  ['extglob', 'extglob'],
  ['nocasematch', 'nocasematch'],
  ['nocaseglob', 'nocaseglob'],
  ['lastpipe', 'lastpipe'],
  ['expand_aliases', 'expand_aliases'],
  ['inherit_errexit', 'inherit_errexit'],
]);

/** Names that `shopt` knows and that are not followed here, of older releases as well. */
const otherNames: ReadonlySet<string> = new Set(
  (
    'array_expand_once assoc_expand_once autocd bash_source_fullpath cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 ' +
    'compat42 compat43 compat44 complete_fullquote direxpand dirspell execfail extdebug extquote force_fignore globasciiranges globskipdots gnu_errfmt ' +
    'histappend histreedit histverify hostcomplete huponexit interactive_comments lithist localvar_inherit localvar_unset login_shell mailwarn ' +
    'no_empty_cmd_completion noexpand_translation patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose sourcepath varredir_close ' +
    'xpg_echo'
  ).split(' '),
);

function isShoptName(name: string): boolean {
  return names.has(name) || otherNames.has(name);
}

/** `shopt -s|-u NAME…` sets, `shopt [-q|-p] NAME…` asks. */
export const shopt: Builtin = (shell, words, { place }) => {
  shell.status = success;
  const { letters, rest } = leadingOptions(words);
  const asked = rest.map((_, index) => textAt(rest, index) ?? '');
  const isKnownName = letters.has('o') ? isOptionName : isShoptName;
  const isWrong = rest.some(({ pieces }) => {
    const text = knownText(pieces);
    return text !== undefined && !isKnownName(text);
  });
  const value = letters.has('s');
  if ((value || letters.has('u')) && asked.length > 0) {
    for (const name of asked) change(shell, name, value, letters.has('o'));
    // Of options of `set` Bash complains, and takes itself to have succeeded.
    if (isWrong && !letters.has('o')) shell.status = failure;
    return undefined;
  }
  if (isWrong) {
    shell.status = failure;
    return undefined;
  }
  const known = asked.map((name) => names.get(name));
  const isKnown = !letters.has('o') && known.length > 0 && known.every((name) => name !== undefined);
  if (!letters.has('q')) {
    const lines = known.map((name) => (name === undefined ? '' : line(shell, name, letters.has('p'))));
    const label = `$(shopt ${asked.join(' ')})`;
    shell.write(
      isKnown ? made(lines.join(''), place) : [{ ...hole('command-output', label, place), splits: true }],
    );
  }
  if (isKnown) shell.status = outcome(known.every((name) => name !== undefined && shell.switches[name]));
  else if (asked.length > 0) {
    const subject = asked.join(' ');
    const key = `shopt ${subject} ${place.path} ${place.span.start}`;
    shell.status = ask({ key, yes: `${subject} is on`, no: `${subject} is off`, first: false }, place);
  }
  return undefined;
};

function change(shell: Shell, name: string, value: boolean, isOption: boolean): void {
  if (isOption) {
    shell.switches = switched(shell.switches, [value ? '-o' : '+o', name]);
    return;
  }
  const own = names.get(name);
  if (own !== undefined) shell.switches = { ...shell.switches, [own]: value };
}

function line(shell: Shell, name: SwitchName, isCommand: boolean): string {
  const isOn = shell.switches[name];
  return isCommand ? `shopt -${isOn ? 's' : 'u'} ${name}\n` : `${name.padEnd(15)}\t${isOn ? 'on' : 'off'}\n`;
}
