// What holds for everything that is published.

/** The glibc that Linux addons are linked against: older than what any supported Node needs (2.28). */
export const GLIBC = '2.17';

/** An addon is 5.8 MB on Linux x64. What makes it grow by a third is looked at before it is published. */
export const MAX_ADDON_BYTES = 8 * 1024 * 1024;

/** The main package holds no binary. */
export const MAX_MAIN_BYTES = 256 * 1024;
