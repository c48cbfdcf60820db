import data from '../../../../schemas/common/placeholders.json';
import type { Run, Setting } from '../../frameworks/framework.ts';
import type { Place } from '../../text/span.ts';
import { commonFinding } from '../commonFinding.ts';
import type { Finding } from '../finding.ts';
import type { CommonRules } from '../rule.ts';

const word = new RegExp(`(?:^|[\\s_-])(?:${data.words.join('|')})(?:$|[\\s_-])`, 'i');

/**
 * Values that begin with a placeholder (`<path to the checkpoint>`), which a shell or a file passes on unchanged. Each is reported once,
 * however many options use it, and at the option where it is written, if there is one.
 */
export function unfilledFindings({ framework, settings }: Run, common: CommonRules): Finding[] {
  const found = new Map<
    string,
    { readonly setting: Setting; readonly value: string; readonly place: Place }
  >();
  for (const setting of settings) {
    const value = toFillIn(setting);
    const place = setting.origin?.place ?? setting.valuePlace;
    if (value === undefined || place === undefined) continue;
    const key = `${place.path} ${place.span.start}`;
    if (!found.has(key) || setting.origin?.via.length === 0) found.set(key, { setting, value, place });
  }
  return [...found.values()].flatMap(({ setting: { written: name }, value, place }) =>
    commonFinding(
      common,
      'unfilled-value',
      place,
      { name, value },
      { certainty: 'likely', framework, settings: [name] },
    ),
  );
}

/** The placeholder at the beginning of a value: special tokens of models have such brackets too, but none of the words. */
function toFillIn({ value }: Setting): string | undefined {
  if (value.kind !== 'known' || typeof value.data !== 'string' || !value.data.startsWith('<'))
    return undefined;
  const [written, inner = ''] = /^<([A-Za-z][^<>|="'`]*)>/.exec(value.data) ?? [];
  return word.test(inner) ? written : undefined;
}
