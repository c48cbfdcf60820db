/** Long tests run at full length with OOMLINT_TEST_FULL=1, and on a sample without it. */
export const thorough = process.env.OOMLINT_TEST_FULL === '1';
