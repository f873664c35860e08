"""Guard the speed of capcurve against a slower commit."""
