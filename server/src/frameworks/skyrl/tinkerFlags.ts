import data from '../../../../schemas/skyrl/tinker.json';
import type { Launch } from '../../launch/launch.ts';
import { pythonInt } from '../../value/pythonNumber.ts';
import { remembering } from '../../value/remember.ts';
import { known } from '../../value/value.ts';
import type { Word } from '../../value/word.ts';
import { folderAbove } from '../above.ts';
import { bindArguments } from '../argparse/bind.ts';
import type { Conversion } from '../argparse/convert.ts';
import type { BoundArguments } from '../argparse/parser.ts';
import { missingRequired } from '../argparse/settings.ts';
import type { BindingContext } from '../framework.ts';
import { importPaths } from '../importPaths.ts';
import type { Knowledge } from '../knowledge.ts';
import { declaredFields } from '../pythonFields.ts';

/** The Tinker server's parser generates its flags from the fields of this class, and adds two of its own. */
const options = remembering((knowledge: Knowledge) =>
  knowledge.options.filter(({ parser }) => parser === 'EngineConfig'),
);

/** The files in which the server and its engine declare their options. */
const declarations = [data.declaration, ...data.furtherDeclarations];

/** An integer, or the word that stands for none. Source: skyrl/tinker/config.py:59. */
const optionalNumber: Conversion = {
  convert: (text) => {
    const number = text === 'None' ? null : pythonInt(text);
    return number === undefined ? undefined : known(number);
  },
  expected: 'a whole number or None',
  meant: () => undefined,
};

/** A database URL for which the server has a driver, or that names its own. Source: skyrl/tinker/db_models.py:48. */
const database: Conversion = {
  convert: (text) => (/^(?:sqlite|postgresql|\w+\+[\w+]+):\/\//.test(text) ? known(text) : undefined),
  expected: 'an address that begins with sqlite:// or postgresql://',
  meant: (text) => (text.startsWith('postgres://') ? text.replace('postgres', 'postgresql') : undefined),
};

const conversions: ReadonlyMap<string, Conversion> = new Map([
  ['tinker.forwarding_inference_max_connections', optionalNumber],
  ['tinker.database_url', database],
]);

/** The words after `skyrl.tinker.api` as parsed by the server actually in use. */
export function tinkerFlags(args: readonly Word[], launch: Launch, context: BindingContext): BoundArguments {
  const own = ownSource(launch, context);
  const flags = options(context.knowledge);
  const bound = bindArguments(args, {
    options: flags,
    allowAbbrev: true,
    unknown: 'refuse',
    conversions,
    extraOptions: context.extraOptions,
    otherFlags: flagsIn(own),
    ...(context.knowledge.release === undefined
      ? {}
      : { about: `The server of SkyRL ${context.knowledge.release} does not know it.` }),
  });
  const problems = bound.problems.filter(
    ({ rule, values }) => rule !== 'invalid-choice' || !own.includes(`"${values.value}"`),
  );
  const meant = new Set(problems.map(({ replacement }) => replacement));
  const asked = flags.filter((option) => option.flags?.some((flag) => meant.has(flag)) !== true);
  // Further words may give it, and a server in the workspace may get it in another way.
  const mayBeGiven = launch.open.length > 0 || own !== '';
  const required = mayBeGiven ? [] : missingRequired(bound, asked, launch.place);
  return { ...bound, settings: bound.settings, problems: [...problems, ...required] };
}

/** Names that the JAX backend of a server in the workspace accepts in its `--backend-config`. */
export function ownJaxOptions(launch: Launch, { host }: BindingContext): readonly string[] {
  const folder = folderAbove(importPaths(launch), data.declaration, host);
  const source = folder === undefined ? undefined : host.read(`${folder}/${data.jaxDeclaration}`);
  return source === undefined ? [] : [...declaredFields(source)];
}

/** The source of the server in the workspace; empty if there is none. */
function ownSource(launch: Launch, { host }: BindingContext): string {
  const folder = folderAbove(importPaths(launch), data.declaration, host);
  return folder === undefined
    ? ''
    : declarations.map((file) => host.read(`${folder}/${file}`) ?? '').join('\n');
}

/** The flags that such a source declares: one for each field, and those it quotes. */
function flagsIn(source: string): ReadonlySet<string> {
  const ofFields = [...declaredFields(source)].map((name) => `--${name.replaceAll('_', '-')}`);
  const quoted = [...source.matchAll(/["'](--[a-z][\w-]*)["']/g)].map(([, flag = '']) => flag);
  return new Set([...ofFields, ...quoted]);
}
