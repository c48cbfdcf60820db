import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isYamlTemplateName, yamlTemplateFiles } from '../../../server/src/text/fileNames.ts';

const manifest = z
  .object({
    contributes: z.object({
      commands: z.array(z.object({ command: z.string(), enablement: z.string().optional() })),
    }),
  })
  .parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8')));
const { enablement = '' } =
  manifest.contributes.commands.find(({ command }) => command === 'oomlint.showResolved') ?? {};
const [, pattern = ''] = /resourceFilename =~ \/(.*)\/$/.exec(enablement) ?? [];

test.each([
  'job.yaml.j2',
  'job.yml.jinja',
  'job.yaml.jinja2',
  'job.yaml-template',
  'job.yml.tmpl',
  'job.yaml.tpl',
  'job.j2',
  'job.yaml',
  'yaml.j2',
  'job.yaml.j2.bak',
])('%s is a template of YAML by one rule for the server, its client and the commands', (name) => {
  const isTemplate = isYamlTemplateName(name);
  expect(picomatch(yamlTemplateFiles)(name)).toBe(isTemplate);
  expect(new RegExp(pattern).test(name)).toBe(isTemplate);
});
