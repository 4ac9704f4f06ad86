import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Locator, Page } from '@playwright/test';

import { freePorts } from '#scripts/machine/processes';

/** Describes a ticket to be created. */
export interface NewTicket {
  readonly subject: string;
  readonly type: 'text/plain' | 'text/html';
  readonly text: string;
}

export interface ReplyEditor {
  /** What a ticket must be that is answered in it. */
  readonly type: NewTicket['type'];
  /** Opens a reply to a ticket, with what it quotes. Returns the element that is typed into. */
  readonly open: (page: Page, ticket: number) => Promise<Locator>;
}

/** Runs a help desk as Debian packages it, on a database of its own. */
export interface HelpDesk {
  readonly origin: string;
  logIn(page: Page): Promise<void>;
  createTicket(ticket: NewTicket): Promise<number>;
  /** Opens a ticket and waits for its messages. No reply is open in it. */
  openTicket(page: Page, ticket: number): Promise<void>;
  /** Where a desk has fields alone, the rich one is that with a toolbar and a preview. */
  readonly editors: Readonly<Record<'rich' | 'plain', ReplyEditor>>;
  /** Sends the reply that is open. Returns what reached the other side, in any encoding of the line breaks. */
  send(page: Page, ticket: number): Promise<string>;
  close(): Promise<void>;
}

/** Describes a program that serves until it is ended. */
export interface ServingProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The account whose rights it has; else ours. */
  readonly uid?: number;
  readonly gid?: number;
}

/** Holds what a help desk has to itself on this machine. */
export interface Place {
  readonly folder: string;
  readonly origin: string;
  /** Free ones; the first is that of the origin. */
  readonly ports: readonly [number, number, number];
  /** Starts the programs, and waits until the origin answers. */
  readonly serve: (...programs: readonly ServingProgram[]) => Promise<void>;
  /** Ends the programs and removes the folder. */
  readonly close: () => Promise<void>;
}

/** Milliseconds. Each is up in about ten seconds on an idle machine. */
const startTimeoutMs = 180_000;

/** Returns an empty folder and free ports of localhost. */
export async function createPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-desk-'));
  const ports = await freePorts(3);
  const origin = `http://localhost:${String(ports[0])}`;
  const groups: number[] = [];
  const end = (): void => {
    for (const group of groups.splice(0)) process.kill(-group, 'SIGTERM');
  };
  process.once('exit', end);
  return {
    folder,
    origin,
    ports,
    async serve(...programs) {
      for (const { command, args, env, ...options } of programs) {
        const child = spawn(command, args, {
          stdio: 'ignore',
          // Its workers are of its process group.
          detached: true,
          env: { ...process.env, ...env },
          ...options,
        });
        child.once('error', () => undefined);
        if (child.pid === undefined) throw new Error(`${command} is not on this machine.`);
        const { pid } = child;
        groups.push(pid);
        child.once('exit', () => groups.splice(groups.indexOf(pid) >>> 0, 1));
      }
      const deadline = Date.now() + startTimeoutMs;
      while ((await fetch(origin).catch(() => undefined))?.ok !== true) {
        if (Date.now() > deadline) throw new Error(`Nothing answers at ${origin}.`);
        await pause(250);
      }
    },
    async close() {
      process.off('exit', end);
      end();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
