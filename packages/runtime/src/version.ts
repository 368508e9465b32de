/** Of the whole repository; every package carries the same. */
export const version = '0.1.0';
