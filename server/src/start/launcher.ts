#!/usr/bin/env node
import { needOf } from '../cli/codeCache.ts';
import { prepare } from './prepare.ts';

// Starts the command line of the program next to this file.
const { program, keep } = prepare(import.meta.dirname, needOf(process.argv.slice(2)));
program.start();
process.on('exit', keep);
