// only: evaluated
// in: 1 2
// out: 1 7
// out: 73 232 215 217 254 195 215 76 99 52 33 112 227 193 164 82 76 54
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x9xui8>) {
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x9xui8>)
  return %t, %b : tensor<2xui64>, tensor<2x9xui8>
}
