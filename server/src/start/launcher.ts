#!/usr/bin/env node
import { prepare } from './prepare.ts';

// Starts the command line of the program next to this file.
const { program, keep } = prepare(import.meta.dirname);
program.start();
process.on('exit', keep);
