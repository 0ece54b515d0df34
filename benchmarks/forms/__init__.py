"""The same mathematics as people write it: classes of formulations that compute one thing."""
