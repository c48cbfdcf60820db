import * as z from 'zod/mini';
import { misspeltPackage, packageName } from '../frameworks/packages.ts';
import { misspeltGpu } from '../launch/namedGpu.ts';
import { type MachineProfile, noProfile } from '../value/machine.ts';
import type { Data } from '../value/value.ts';
import { type Fault, faultsOf, valueAt } from './issue.ts';

const gpu = z.string().check(
  z.superRefine((name, context) => {
    const meant = misspeltGpu(name);
    if (meant !== undefined)
      context.addIssue({ code: 'custom', message: `no GPU is called ${name} (did you mean ${meant}?)` });
  }),
);

const versions = z.record(z.string(), z.union([z.string(), z.number()])).check(
  z.superRefine((declared, context) => {
    for (const [name, version] of Object.entries(declared)) {
      const meant = misspeltPackage(name);
      if (meant !== undefined)
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `oomlint has no use for a package called ${name} (did you mean ${meant}?)`,
        });
      else if (!/^\s*v?\d/.test(String(version)))
        context.addIssue({ code: 'custom', path: [name], message: `${version} is not a version` });
    }
  }),
);

const count = z.int().check(z.positive());

/** The content of a `--profile` file: these fields as YAML or JSON (docs/configuration.md). */
export const profileSchema = z.strictObject({
  gpu: z
    .optional(gpu)
    .check(
      z.describe(
        'Name of the GPU, such as `H100`. Without `gpu_memory_gib`, it stands for the variant with the most memory.',
      ),
    ),
  gpu_memory_gib: z.optional(z.number().check(z.positive())).check(z.describe('Memory of one GPU, in GiB.')),
  gpus_per_node: z.optional(count).check(z.describe('Number of GPUs per node.')),
  nodes: z.optional(count).check(z.describe('Number of nodes of a job.')),
  nvlink: z.optional(z.boolean()).check(z.describe('Whether NVLink connects the GPUs of a node.')),
  compute_capability: z
    .optional(count)
    .check(z.describe('Major × 10 + minor: 80 for Ampere, 90 for Hopper, 100 for Blackwell.')),
  versions: z
    .optional(versions)
    .check(
      z.describe(
        'Versions of packages, by their names on PyPI, as in `torch: "2.8"`. `megatron-core` (`"0.16"`) also decides which options and rules Megatron-LM has. If `areal`, `skyrl`, `slime` or `megatron-bridge` has another release than the one that oomlint knows, its errors become warnings, except for what every release refuses.',
      ),
    ),
  variables: z
    .optional(z.record(z.string(), z.union([z.string(), z.number()])))
    .check(
      z.describe('Values of variables and positional arguments (`"1"`) that scripts take from outside.'),
    ),
});

function texts(values: { readonly [name: string]: string | number } | undefined): { [name: string]: string } {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
}

/** The machine profile in parsed data, or what is wrong with it. */
export function machineProfile(data: unknown): { profile: MachineProfile } | { problems: Fault[] } {
  if (data === null || data === undefined) return { profile: noProfile };
  const parsed = profileSchema.safeParse(data);
  if (!parsed.success)
    return {
      problems: parsed.error.issues.flatMap((issue) =>
        faultsOf(issue, issue.path, valueAt(data, issue.path), Object.keys(profileSchema.shape)),
      ),
    };
  const read = parsed.data;
  return {
    profile: {
      ...(read.gpu === undefined ? {} : { gpu: read.gpu }),
      ...(read.gpu_memory_gib === undefined ? {} : { gpuMemoryBytes: read.gpu_memory_gib * 2 ** 30 }),
      ...(read.gpus_per_node === undefined ? {} : { gpusPerNode: read.gpus_per_node }),
      ...(read.nodes === undefined ? {} : { nodes: read.nodes }),
      ...(read.nvlink === undefined ? {} : { nvlink: read.nvlink }),
      ...(read.compute_capability === undefined ? {} : { computeCapability: read.compute_capability }),
      versions: Object.fromEntries(
        Object.entries(texts(read.versions)).map(([name, version]) => [packageName(name), version]),
      ),
      variables: texts(read.variables),
    },
  };
}

/** A machine in the spelling of the configuration, without what is unknown, and without the values of variables. */
export function machineFields(machine: MachineProfile): { readonly [field: string]: Data } {
  const { gpu, gpuMemoryBytes, gpusPerNode, nodes, nvlink, computeCapability, versions } = machine;
  return {
    ...(gpu === undefined ? {} : { gpu }),
    ...(gpuMemoryBytes === undefined ? {} : { gpu_memory_gib: gpuMemoryBytes / 2 ** 30 }),
    ...(gpusPerNode === undefined ? {} : { gpus_per_node: gpusPerNode }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(nvlink === undefined ? {} : { nvlink }),
    ...(computeCapability === undefined ? {} : { compute_capability: computeCapability }),
    ...(Object.keys(versions).length === 0 ? {} : { versions }),
  };
}
