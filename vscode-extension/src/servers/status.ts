/** The notification `tilescope/status`. */

export type Mode = 'full' | 'partial' | 'static' | 'untrusted';

/** Keys beyond these may come with newer servers; the optional ones are missing in older ones. */
export interface Status {
  uri?: string;
  mode: Mode;
  stage: string;
  target: string | null;
  worker: 'none' | 'starting' | 'busy' | 'idle' | 'failed';
  interpreter: string | null;
  interpreter_why: string | null;
  message: string;
  /** Resident memory of the processes that compile. */
  memory_bytes?: number | null;
}
