import type { Argument, Command, Option } from 'commander';
import { formatNames } from './usage.ts';

/** The shells for which there are completions. */
export const completionShells = ['bash', 'zsh', 'fish', 'powershell'] as const;

interface Described {
  readonly name: string;
  readonly description: string;
  readonly options: readonly Option[];
  /** Possible values of its first argument; undefined if that is a file. */
  readonly words: readonly string[] | 'rules' | undefined;
}

function described(root: Command): Described[] {
  return root.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...command.createHelp().visibleOptions(command)],
    words: wordsOf(command.registeredArguments[0]),
  }));
}

function wordsOf(argument: Argument | undefined): Described['words'] {
  return argument?.name() === 'rule' ? 'rules' : argument?.argChoices;
}

/** A command that prints the ids of all rules, including those of the current project, with and without the framework in front. */
const ruleIds = `oomlint rules 2>/dev/null | awk 'NF == 2 && $1 ~ /^[a-z]+$/ { print $2; if (sub(/.*[/]/, "", $2)) print $2 }'`;

/** The flag to complete: the long one. */
function flagOf(option: Option): string {
  return option.long ?? option.short ?? '';
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** The possible values of an option. */
interface Values {
  readonly words: readonly string[] | 'rules';
  /** Whether a file follows the word: `sarif=report.sarif`. */
  readonly beforeFile: boolean;
}

/** The values that an option takes; undefined if any file or text is allowed. */
function valuesOf(option: Option): Values | undefined {
  if (option.flags.endsWith('<format=file>'))
    return { words: formatNames.map((name) => `${name}=`), beforeFile: true };
  if (option.flags.endsWith('<rule>')) return { words: 'rules', beforeFile: false };
  return option.argChoices && { words: option.argChoices, beforeFile: false };
}

/** A text in single quotes for bash, zsh and fish. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A script that a shell sources to complete commands, options and their values; anything else is completed as a file. */
export function completionScript(root: Command, shell: (typeof completionShells)[number]): string {
  const commands = described(root);
  return writers[shell](commands);
}

const writers = { bash, zsh, fish, powershell } as const;

function bashWords(words: Values['words']): string {
  return words === 'rules' ? `"$(${ruleIds})"` : quoted(words.join(' '));
}

function bash(commands: readonly Described[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const cases = commands.flatMap(({ name, options }) => [
    `    ${name}) options=${quoted(options.map(flagOf).join(' '))} ;;`,
  ]);
  const words = commands.flatMap(({ name, words }) => {
    return words === undefined ? [] : [`    ${name}) values=${bashWords(words)} ;;`];
  });
  const choices = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      const values = valuesOf(option);
      if (values === undefined) return [];
      const noBlank = values.beforeFile ? '; compopt -o nospace 2>/dev/null' : '';
      return [`    ${name}:${flagOf(option)}) values=${bashWords(values.words)}${noBlank} ;;`];
    }),
  );
  return `# oomlint completion for bash: source <(oomlint completion bash)
_oomlint() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} options='' values=''
  # Bash takes --format=json for three words.
  if [ "$current" = = ]; then current=''
  elif [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(`${names} --help --version`)} -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:$before" in
${choices.join('\n')}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$values" -- "$current"))
}
complete -o default -F _oomlint oomlint
`;
}

/** A description as zsh's _arguments and _describe take it. */
function zshText(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}

function zshArgument(words: Described['words']): string {
  if (words === undefined) return '*:file:_files';
  return words === 'rules' ? '1:rule:_oomlint_rules' : `1:word:(${words.join(' ')})`;
}

/** What zsh offers for the value of an option. */
function zshValues(values: Values | undefined): string {
  if (values === undefined) return '_files';
  if (values.words === 'rules') return '_oomlint_rules';
  const words = values.words.join(' ');
  return values.beforeFile ? `{compset -P "*=" && _files || compadd -S "" - ${words}}` : `(${words})`;
}

function zsh(commands: readonly Described[]): string {
  const list = commands
    .map(({ name, description }) => `      ${quoted(`${name}:${zshText(description)}`)}`)
    .join('\n');
  const argument = (option: Option): string => {
    const value = takesValue(option) ? `:value:${zshValues(valuesOf(option))}` : '';
    // With `=` after the flag, zsh also accepts the value as the next word.
    const flag = `${flagOf(option)}${value === '' ? '' : '='}`;
    return quoted(`${flag}[${zshText(option.description)}]${value}`);
  };
  const cases = commands.map(
    ({ name, options, words }) =>
      `    ${name}) _arguments ${[...options.map(argument), quoted(zshArgument(words))].join(' ')} ;;`,
  );
  return `#compdef oomlint
# oomlint completion for zsh: oomlint completion zsh > "\${fpath[1]}/_oomlint"
_oomlint_rules() {
  compadd -- \${(f)"$(${ruleIds})"}
}
_oomlint() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${list}
    )
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
# In a folder of fpath this file is the function itself the first time, and has to complete then.
if [[ $funcstack[1] == _oomlint ]]; then _oomlint "$@"; else compdef _oomlint oomlint; fi
`;
}

function fishWords(words: Values['words']): string {
  return quoted(words === 'rules' ? `(${ruleIds})` : words.join(' '));
}

/** What fish offers for the value of an option. */
function fishValues(values: Values | undefined): string {
  if (values === undefined) return ' -r';
  return ` ${values.beforeFile ? '-r' : '-x'} -a ${fishWords(values.words)}`;
}

function fish(commands: readonly Described[]): string {
  const lines = commands.flatMap(({ name, description, options, words }) => [
    `complete -c oomlint -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ...(words === undefined
      ? []
      : [`complete -c oomlint -n '__fish_seen_subcommand_from ${name}' -f -a ${fishWords(words)}`]),
    ...options.map((option) => {
      const flag = flagOf(option).replace(/^--/, '');
      const value = takesValue(option) ? fishValues(valuesOf(option)) : '';
      return `complete -c oomlint -n '__fish_seen_subcommand_from ${name}' -l ${flag}${value} -d ${quoted(option.description)}`;
    }),
  ]);
  return `# oomlint completion for fish: oomlint completion fish > ~/.config/fish/completions/oomlint.fish\n${lines.join('\n')}\n`;
}

/** A text in single quotes for PowerShell, which treats typographic quotes the same way. */
function powershellQuoted(text: string): string {
  return `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
}

/** Completions for PowerShell, each with its tooltip. */
function powershellWords(words: Values['words']): string {
  if (words === 'rules') return '$offered = & $rules';
  return powershellTable(words.map((word) => [word, word]));
}

function powershellTable(rows: readonly (readonly [string, string])[]): string {
  const entries = rows.map(([word, tip]) => `${powershellQuoted(word)} = ${powershellQuoted(tip)}`);
  return `$offered = [ordered]@{ ${entries.join('; ')} }`;
}

/** PowerShell itself completes file names if nothing is offered. */
function powershell(commands: readonly Described[]): string {
  const names = powershellTable([
    ...commands.map(({ name, description }) => [name, description] as const),
    ['--help', 'print this help'],
    ['--version', 'print the version'],
  ]);
  const row = (at: string, offered: string): string => `      ${powershellQuoted(at)} { ${offered} }`;
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      const { words } = valuesOf(option) ?? {};
      return words === undefined ? [] : [row(`${name} ${flagOf(option)}`, powershellWords(words))];
    }),
  );
  const options = commands.map(({ name, options }) =>
    row(name, powershellTable(options.map((option) => [flagOf(option), option.description]))),
  );
  const words = commands.flatMap(({ name, words }) =>
    words === undefined ? [] : [row(name, powershellWords(words))],
  );
  return `# oomlint completion for PowerShell: oomlint completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName oomlint -ScriptBlock {
  param($current, $line, $cursor)
  $rules = {
    $ids = [ordered]@{}
    $listed = oomlint rules --format json 2>$null | Out-String | ConvertFrom-Json
    foreach ($rule in $listed.rules) {
      $ids[$rule.id] = $rule.message
      $ids[($rule.id -replace '^.*/', '')] = $rule.message
    }
    $ids
  }
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $word = "$current"
  $flag = $before[-1]
  $start = ''
  if ($word -match '^(--[a-z-]+)=(.*)$') {
    $flag = $Matches[1]
    $start = "$flag="
    $word = $Matches[2]
  }
  $offered = [ordered]@{}
  if ($before.Count -le 1) {
    ${names}
  } else {
    switch ("$($before[1]) $flag") {
${values.join('\n')}
    }
    if ($offered.Count -eq 0 -and $word.StartsWith('-')) {
      switch ($before[1]) {
${options.map((line) => `  ${line}`).join('\n')}
      }
    } elseif ($offered.Count -eq 0 -and $start -eq '') {
      switch ($before[1]) {
${words.map((line) => `  ${line}`).join('\n')}
      }
    }
  }
  foreach ($entry in $offered.GetEnumerator()) {
    if ($entry.Key.StartsWith($word)) {
      [System.Management.Automation.CompletionResult]::new("$start$($entry.Key)", $entry.Key, 'ParameterValue', $entry.Value)
    }
  }
}
`;
}
