// tolerance: 1e-06
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 9.42832373 11.8438842 6.58168023 3.08520861 9.30527471 3.59785043 5.39653939 3.66679498 10.4489228 2.74312558 4.18260832 1.56552795 11.4935365 7.59978104 6.69059912 4.69813312
// cost: 4 instructions, 614009 ticks
func.func @main(%x: tensor<20x9xf32>) -> tensor<20x9xf32> {
  %a = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<20x9xf32>) -> tensor<20x9xf32>
  %b = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<20x9xf32>) -> tensor<20x9xf32>
  %c = stablehlo.multiply %b, %x : tensor<20x9xf32>
  %d = "stablehlo.collective_permute"(%c) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<20x9xf32>) -> tensor<20x9xf32>
  %e = stablehlo.add %d, %a : tensor<20x9xf32>
  return %e : tensor<20x9xf32>
}
