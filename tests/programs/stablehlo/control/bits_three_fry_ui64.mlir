// only: evaluated
// in: 1 2
// out: 1 9
// out: 9236835810183407956 16087790271692313299 18212823393184779219 2658481902456610144 16424712389986402477 16122702161355102743 16513473339851961296
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui64>) {
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui64>)
  return %t, %b : tensor<2xui64>, tensor<7xui64>
}
