/** Versions as `tilescope --version` prints them (PEP 440), as far as deciding "too old" needs. */

export interface Version {
  text: string;
  release: number[];
  /** Development and pre-releases come before the release of the same number. */
  before: boolean;
}

const PRINTED = /\btilescope[ ,]+(?:version )?(\d+(?:\.\d+)*)((?:\.?(?:a|b|rc|dev)\d+)*)(\S*)/;

/** The version in what `tilescope --version` printed; undefined for the output of something else. */
export function parseVersion(printed: string): Version | undefined {
  const match = PRINTED.exec(printed);
  if (match === null) {
    return undefined;
  }
  const [, release = '', before = '', rest = ''] = match;
  return { text: release + before + rest, release: release.split('.').map(Number), before: before !== '' };
}

/** Is `version` at least `minimum`, a release number such as `0.1`? Its own pre-releases are. */
export function isAtLeast(version: Version, minimum: string): boolean {
  const wanted = minimum.split('.').map(Number);
  for (let place = 0; place < Math.max(wanted.length, version.release.length); place++) {
    const difference = (version.release[place] ?? 0) - (wanted[place] ?? 0);
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}
