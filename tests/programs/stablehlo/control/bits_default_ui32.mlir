// only: evaluated
// in: 1 2
// out: 1 6
// out: 2100602697 2847456232 2074354647 800269529 1828267006 3135207875 3972719319 2171987788 433598563 2511543348 3408178465 3374076784 578703075 2627772353 2538312612
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) {
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  return %t, %b : tensor<2xui64>, tensor<3x5xui32>
}
