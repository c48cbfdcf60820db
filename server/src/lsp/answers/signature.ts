import type { SignatureHelp } from 'vscode-languageserver';
import type { OptionFact } from '../../frameworks/knowledge.ts';
import { lineBefore } from '../../text/lines.ts';
import type { Session } from '../session.ts';

/** The values that a flag takes, while they are typed; only for flags with more than one. */
export function signatureHelp(uri: string, offset: number, session: Session): SignatureHelp | null {
  const report = session.lint(uri)?.report;
  const run = report?.runs[0];
  if (report === undefined || run === undefined) return null;
  const { text } = session.view(session.uris.pathOf(uri));
  const match = /(--[\w-]+)((?:\s+[^\s-]\S*)*)\s+(\S*)$/.exec(lineBefore(text, offset));
  const flag = match?.[1];
  if (flag === undefined) return null;
  const option = [run.framework, ...run.scopes.map(({ set }) => set)]
    .flatMap((set) => [...session.options(set).values()])
    .find(({ flags }) => flags?.includes(flag) === true);
  const parameters = option === undefined ? [] : parametersOf(option);
  if (option === undefined || parameters.length < 2) return null;
  const written = (match?.[2] ?? '').split(/\s+/).filter((word) => word !== '').length;
  return {
    signatures: [
      {
        label: `${flag} ${parameters.join(' ')}`,
        ...(option.describe === undefined ? {} : { documentation: option.describe }),
        parameters: parameters.map((label) => ({ label })),
      },
    ],
    activeSignature: 0,
    activeParameter: Math.min(written, parameters.length - 1),
  };
}

function parametersOf(option: OptionFact): string[] {
  const type = option.items ?? option.type;
  if (typeof option.nargs === 'number')
    return Array.from({ length: option.nargs }, (_, index) => `<${type} ${index + 1}>`);
  return option.nargs === '+' || option.nargs === '*' ? [`<${type} 1>`, `[<${type} 2> …]`] : [];
}
