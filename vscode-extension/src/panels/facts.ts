/** The part of `tilescope/analysis` that panels use: the facts of a document, as the server has them now. */
import type * as vscode from 'vscode';
import type { Buffer } from '../protocol';
import type { Session } from '../servers/session';

export interface KernelFacts {
  name: string;
  qualname: string;
  line: number;
  target: string;
  stage: string;
  specialization: { id: string };
  buffers?: Buffer[];
}

export interface Analysis {
  version: number | null;
  stage: string;
  complete: boolean;
  facts: { files: { kernels: KernelFacts[] }[] };
}

export async function kernelsOf(
  session: Session,
  uri: string,
  token?: vscode.CancellationToken,
): Promise<{ kernels: KernelFacts[]; complete: boolean; version: number | null }> {
  const analysis = await session.request<Analysis | null>('tilescope/analysis', { uri, textDocument: { uri } }, token);
  return {
    kernels: analysis?.facts.files.flatMap((file) => file.kernels) ?? [],
    complete: analysis?.complete ?? false,
    version: analysis?.version ?? null,
  };
}
