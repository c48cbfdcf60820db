import type { ArtifactLocation, Location, Log, Region, ReportingDescriptor, Result } from 'sarif';
import type { FileReport } from '../../linter.ts';
import { readable } from '../../rules/messageText.ts';
import type { RuleFacts } from '../../rules/rule.ts';
import type { Place } from '../../text/span.ts';
import { fixText, fullMessage } from '../advice.ts';
import { homepage, pageOf } from '../url.ts';
import { fingerprints } from './fingerprint.ts';
import {
  type FormatOptions,
  type LocatedFinding,
  type LocatedPlace,
  locatedFindings,
  locator,
} from './located.ts';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

function region(place: LocatedPlace): Region {
  return {
    startLine: place.line,
    startColumn: place.column,
    endLine: place.endLine,
    endColumn: place.endColumn,
  };
}

/** Converts paths to URI references, relative to the current folder if they are in it. */
type Locating = (path: string) => ArtifactLocation;

/**
 * Makes that function. A Windows drive (`C:/`) is kept as it is in a URI.
 * @param root the current folder as the engine writes it: one on a drive or share begins with it (`/c:/jobs`); otherwise `C:` is the name of a
 *   folder
 */
function locating(root: string): Locating {
  const mayHaveDrives = /^\/(?:[a-z]|unc):/i.test(root);
  return (path) => artifact(path, mayHaveDrives);
}

function artifact(path: string, mayHaveDrives: boolean): ArtifactLocation {
  const [drive = ''] = (mayHaveDrives && /^[a-z]:(?=\/)/i.exec(path)) || [];
  const encoded = path.slice(drive.length).split('/').map(encodeURIComponent).join('/');
  if (drive !== '') return { uri: `file:///${drive}${encoded}` };
  // A share on another machine (`//machine/share`) starts with its authority.
  if (path.startsWith('//')) return { uri: `file:${encoded}` };
  return path.startsWith('/') ? { uri: `file://${encoded}` } : { uri: encoded, uriBaseId: '%SRCROOT%' };
}

function descriptor(id: string, rule: RuleFacts | undefined, page: string | undefined): ReportingDescriptor {
  const text = readable(rule?.message ?? id);
  return {
    id,
    name: id
      .split(/[/-]/)
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join(''),
    shortDescription: { text },
    fullDescription: { text: readable(rule?.why ?? text) },
    help: { text: `${readable(rule?.why ?? text)}${page === undefined ? '' : `\n${page}`}` },
    ...(page === undefined ? {} : { helpUri: page }),
    ...(rule === undefined ? {} : { defaultConfiguration: { level: levels[rule.severity] } }),
  };
}

/** SARIF 2.1.0 as GitHub's code scanning takes it: relative URIs, fingerprints that survive edits above, suppressed results left out. */
export function sarif(
  reports: readonly FileReport[],
  options: FormatOptions & { readonly rule: (id: string) => RuleFacts | undefined },
): string {
  const found = locatedFindings(reports, options);
  const prints = fingerprints(found, options.root);
  const pages = new Map(found.map(({ finding }) => [finding.rule, pageOf(finding)]));
  const ids = [...pages.keys()].sort();
  const positions = new Map(ids.map((id, index) => [id, index]));
  const context: ResultContext = {
    locate: locator(options),
    artifact: locating(options.root),
    shorten: options.shorten,
  };
  const results = found.map(
    (item, index): Result => ({
      ...resultOf(item, context),
      ruleIndex: positions.get(item.finding.rule) ?? -1,
      partialFingerprints: { 'oomlint/v1': prints[index] ?? '' },
    }),
  );
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'oomlint',
            version: options.version,
            semanticVersion: options.version,
            informationUri: homepage,
            rules: ids.map((id) => descriptor(id, options.rule(id), pages.get(id))),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: {
          '%SRCROOT%': { description: { text: 'The folder in which oomlint was started.' } },
        },
        results,
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

interface ResultContext {
  readonly locate: (place: Place) => LocatedPlace;
  readonly artifact: Locating;
  readonly shorten: (path: string) => string;
}

function resultOf(item: LocatedFinding, { locate, artifact, shorten }: ResultContext): Result {
  const physical = (place: LocatedPlace): Location => ({
    physicalLocation: { artifactLocation: artifact(place.path), region: region(place) },
  });
  const { rule, severity, related, fixes, certainty, phase } = item.finding;
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: fullMessage(item.finding) },
    locations: [physical(item)],
    relatedLocations: related.map(({ place, message: text }, id) => ({
      id,
      message: { text },
      ...physical(locate(place)),
    })),
    fixes: fixes
      .filter(({ edits }) => edits.length > 0)
      .map((fix) => ({
        description: { text: fixText(fix) },
        artifactChanges: [...new Set(fix.edits.map((edit) => edit.path))].map((path) => ({
          artifactLocation: artifact(shorten(path)),
          replacements: fix.edits
            .filter((edit) => edit.path === path)
            .map((edit) => ({
              deletedRegion: region(locate(edit)),
              insertedContent: { text: edit.newText },
            })),
        })),
      })),
    properties: { certainty, phase },
  };
}
