// only: evaluated
// in: 1 2
// out: 1 6
// out: 12229731395331991369 3437131457114678231 13465615291114923006 9328616520744100567 10786996542579945571 14491549444881034529 11286196318046670563
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui64>) {
  %t, %b = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui64>)
  return %t, %b : tensor<2xui64>, tensor<7xui64>
}
