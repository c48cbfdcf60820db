import type { Data } from '../value/value.ts';

/**
 * Who types the plain scalars of a file: PyYAML's `SafeLoader` (YAML 1.1), OmegaConf's loader (PyYAML's with more floats and
 * no dates), or the core schema of YAML 1.2 (Go and JavaScript tools such as Kubernetes').
 */
export type YamlFlavour = 'pyyaml' | 'omegaconf' | 'core';

const nulls = /^(?:~|null|Null|NULL|)$/;
const yamlBooleans = /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;
const coreBooleans = /^(?:true|True|TRUE|false|False|FALSE)$/;
const trueText = /^(?:yes|true|on)$/i;

const pyyamlInteger =
  /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/;
const pyyamlFloat =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const omegaconfFloat =
  /^(?:[-+]?[0-9]+(?:_[0-9]+)*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+)|\.[0-9]+(?:_[0-9]+)*(?:[eE][-+][0-9]+)?|[-+]?[0-9]+(?:_[0-9]+)*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** What most scalars are: a whole number that every flavour reads alike, or a word whose first letter begins no null, boolean or number. */
const plainInteger = /^(?:0|[1-9][0-9]{0,14})$/;
const plainWord = /^[a-eg-mp-su-xzA-EG-MP-SU-XZ]/;

const coreInteger = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const coreFloat =
  /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * What a plain (unquoted, untagged) scalar is loaded as.
 * @param text the scalar's text as written
 * @returns null, a boolean, a number, or the text itself. Integers beyond 2^53 lose their last digits.
 */
export function resolveScalar(text: string, flavour: YamlFlavour): Data {
  if (plainWord.test(text)) return text;
  if (plainInteger.test(text)) return Number(text);
  if (nulls.test(text)) return null;
  if (flavour === 'core') {
    if (coreBooleans.test(text)) return trueText.test(text);
    if (coreInteger.test(text)) return Number(text);
    return coreFloat.test(text) ? yamlFloatOf(text) : text;
  }
  if (yamlBooleans.test(text)) return trueText.test(text);
  if (pyyamlFloat.test(text)) return yamlFloatOf(text);
  if (pyyamlInteger.test(text)) return yamlIntegerOf(text);
  return flavour === 'omegaconf' && omegaconfFloat.test(text) ? yamlFloatOf(text) : text;
}

/**
 * What a scalar with one of YAML's own tags is loaded as (`!!int "3"`).
 * @returns undefined if the tag is not a scalar type, or the text is not of that type
 */
export function resolveTagged(text: string, tag: string, flavour: YamlFlavour): Data | undefined {
  const data = resolveScalar(text, flavour);
  switch (tag) {
    case '!':
    case 'tag:yaml.org,2002:str':
      return text;
    case 'tag:yaml.org,2002:int':
      return typeof data === 'number' && Number.isInteger(data) ? data : undefined;
    case 'tag:yaml.org,2002:float':
      return typeof data === 'number' ? data : undefined;
    case 'tag:yaml.org,2002:bool':
      return typeof data === 'boolean' ? data : undefined;
    case 'tag:yaml.org,2002:null':
      return null;
    default:
      return undefined;
  }
}

/** The integer that a text is in YAML 1.1, which may also be binary, octal, hexadecimal or base 60. */
export function yamlIntegerOf(text: string): number {
  const digits = text.replaceAll('_', '');
  const sign = digits.startsWith('-') ? -1 : 1;
  const body = digits.replace(/^[-+]/, '');
  if (body.includes(':')) return sign * sexagesimal(body);
  if (body.startsWith('0b') || body.startsWith('0x')) return sign * Number(body);
  if (body.length > 1 && body.startsWith('0')) return sign * Number.parseInt(body, 8);
  return sign * Number(body);
}

/** The floating-point number that a text is in YAML 1.1. */
export function yamlFloatOf(text: string): number {
  const digits = text.replaceAll('_', '').toLowerCase();
  const sign = digits.startsWith('-') ? -1 : 1;
  const body = digits.replace(/^[-+]/, '');
  if (body === '.inf') return sign * Number.POSITIVE_INFINITY;
  if (body === '.nan') return Number.NaN;
  return sign * (body.includes(':') ? sexagesimal(body) : Number(body));
}

/** Base 60, as YAML 1.1 reads `1:30`. */
function sexagesimal(text: string): number {
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}
