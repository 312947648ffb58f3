/** The life of one folder's server: found, started, restarted when it ends, stopped. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Found, NotFound } from '../discovery/find';
import type { Methods } from '../protocol';
import { Backoff } from './backoff';
import type { Channels } from './client';
import { makeClient } from './client';
import { type ServerProcess, startProcess } from './process';
import type { Root } from './roots';
import type { Status } from './status';

export type State =
  | { kind: 'starting' }
  | { kind: 'running'; server: Found }
  | { kind: 'waiting'; seconds: number; reason: string }
  | { kind: 'missing'; search: NotFound }
  | { kind: 'failed'; server: Found; reason: string }
  | { kind: 'stopped' };

export interface Surroundings {
  channels: Channels;
  find: (root: Root) => Promise<Found | NotFound>;
  options: (root: Root) => Record<string, unknown>;
  isOurs: (root: Root, uri: vscode.Uri) => boolean;
}

export class Session implements vscode.Disposable {
  private state: State = { kind: 'stopped' };
  private client: LanguageClient | undefined;
  private process: ServerProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  private readonly statuses = new Map<string, Status>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly analysed = new vscode.EventEmitter<Status>();
  /** Starts and stops follow each other, never overlap. */
  private queue: Promise<void> = Promise.resolve();

  /** Fires when the state or a status has changed. */
  readonly onDidChange = this.changed.event;
  /** Fires with each status that the server sends. */
  readonly onStatus = this.analysed.event;

  constructor(
    readonly root: Root,
    private readonly surroundings: Surroundings,
  ) {}

  get current(): State {
    return this.state;
  }

  /** What the server says of a document, else of the session as a whole. */
  statusOf(uri: string | undefined): Status | undefined {
    return (uri === undefined ? undefined : this.statuses.get(uri)) ?? this.statuses.get('');
  }

  start(): Promise<void> {
    return this.inTurn(() => this.begin());
  }

  /** Stop and start again, with a new search for the server. */
  restart(why: string): Promise<void> {
    this.log(`restarting: ${why}`);
    this.backoff.reset();
    return this.inTurn(async () => {
      await this.end();
      await this.begin();
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.end());
  }

  /** The `tilescope` command that the server was started with, or would be. */
  async command(): Promise<string | undefined> {
    await this.queue;
    if (this.state.kind === 'running' || this.state.kind === 'failed') {
      return this.state.server.command;
    }
    const found = await this.surroundings.find(this.root);
    return found.kind === 'found' ? found.command : undefined;
  }

  /** Tell the server that settings have changed. */
  async configure(): Promise<void> {
    if (this.state.kind === 'running') {
      const settings = { tilescope: this.surroundings.options(this.root) };
      await this.client?.sendNotification('workspace/didChangeConfiguration', { settings });
    }
  }

  /** The workspace is trusted from now on: what runs goes on and compiles; what was not found may be inside it. */
  async trust(): Promise<void> {
    if (this.state.kind !== 'running') {
      await this.restart('the workspace is trusted now');
      return;
    }
    await this.configure();
    await this.client?.sendNotification('tilescope/trust', { trusted: true });
  }

  /** Ask one of the methods for panels. Rejects with a message for people where there is no such answer. */
  async ask<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
    token?: vscode.CancellationToken,
  ): Promise<Methods[M]['answer']> {
    const answer = await this.request<Methods[M]['answer'] | Problem>(method, params, token);
    if (answer.schema === 'tilescope.problem/1') {
      throw new Error(answer.message);
    }
    return answer;
  }

  /** Any request. Rejects where no server runs. */
  async request<R>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<R> {
    await this.queue; // It may be starting.
    if (this.client === undefined || this.state.kind !== 'running') {
      throw new Error(`The server of ${this.root.name} does not run.`);
    }
    // A token that is undefined would count as a further parameter.
    return token === undefined
      ? this.client.sendRequest<R>(method, params)
      : this.client.sendRequest<R>(method, params, token);
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
    this.analysed.dispose();
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    clearTimeout(this.timer);
    this.queue = this.queue.then(step).catch((error: unknown) => { this.log(String(error)); });
    return this.queue;
  }

  private async begin(): Promise<void> {
    this.become({ kind: 'starting' });
    const server = await this.surroundings.find(this.root);
    for (const { command, origin, reason } of server.rejected) {
      this.log(`not ${command} (${origin}): ${reason}`);
    }
    if (server.kind === 'not found') {
      this.log(`no server found; looked for ${server.looked.join(', ')}`);
      this.become({ kind: 'missing', search: server });
      return;
    }
    this.log(`starting ${server.command} ${server.version} (${server.origin})`);
    const { folder } = this.root;
    const process = startProcess(server.command, folder);
    const client = makeClient(
      this.root,
      () => process,
      this.surroundings.channels,
      (uri) => this.surroundings.isOurs(this.root, uri),
      () => this.surroundings.options(this.root),
    );
    client.onNotification('tilescope/status', (status: Status) => {
      this.statuses.set(status.uri ?? '', status);
      this.changed.fire();
      this.analysed.fire(status);
    });
    this.process = process;
    this.client = client;
    const lost = process.ended.then((how) => { void this.inTurn(() => this.lost(process, server, how)); });
    const started = client.start().then(
      () => true,
      () => false,
    );
    if (await Promise.race([started, lost.then(() => false)])) {
      this.become({ kind: 'running', server });
    } else {
      // Where it does not speak the protocol but lives on.
      process.kill();
    }
  }

  /** The server has ended without being asked to. */
  private async lost(process: ServerProcess, server: Found, how: string): Promise<void> {
    if (this.process !== process) {
      return;
    }
    const words = process.lastWords();
    const reason = words === '' ? how : `${how}: ${words.split('\n').pop() ?? ''}`;
    this.log(`the server has stopped: ${how}${words === '' ? '' : `\n${words}`}`);
    await this.end();
    const wait = this.backoff.ended(Date.now());
    if (wait === undefined) {
      this.become({ kind: 'failed', server, reason });
      return;
    }
    this.become({ kind: 'waiting', seconds: wait / 1000, reason });
    this.timer = setTimeout(() => void this.start(), wait);
  }

  private async end(): Promise<void> {
    const { client, process } = this;
    this.client = undefined;
    this.process = undefined;
    this.statuses.clear();
    process?.kill();
    try {
      await client?.dispose(2000);
    } catch {
      // It was starting, or its process has gone already.
    }
    this.become({ kind: 'stopped' });
  }

  private become(state: State): void {
    this.state = state;
    this.changed.fire();
  }

  private log(line: string): void {
    this.surroundings.channels.output.info(`${this.root.name}: ${line}`);
  }
}

interface Problem {
  schema: 'tilescope.problem/1';
  message: string;
}
