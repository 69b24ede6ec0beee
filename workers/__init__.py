"""What happens without a request: bots answer, clocks run out, lists are kept; jobs on RQ and the sweeper."""
