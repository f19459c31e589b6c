typedef int mote_placeholder;
