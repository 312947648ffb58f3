/** The notification `tilescope/status`. */

export type Mode = 'full' | 'partial' | 'static' | 'untrusted';

/** Keys beyond these may come with newer servers; the optional ones are missing in older ones. */
export interface Status {
  uri?: string;
  mode: Mode;
  stage: string;
  target: string | null;
  worker: 'none' | 'starting' | 'busy' | 'idle' | 'restarting' | 'failed';
  interpreter: string | null;
  interpreter_why: string | null;
  message: string;
  /** Resident memory of the largest process that compiles, and what it may have at most. */
  memory_bytes?: number | null;
  memory_limit_bytes?: number | null;
  /** How often the processes that compile were lost and started again. */
  restarts?: number;
  /** The server's log file. */
  log?: string | null;
}
