// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 10.0637984 7.16746301 12.8093543 7.27663856 8.27761297 6.59178812 9.88157574 11.0003684 10.2221365 8.99676797 9.39993857 7.11304434 9.62388102 8.22291514 5.90281117 4.33753468
// cost: 6 instructions, 599956 ticks
module {
  func.func public @main(%arg0: tensor<260x1xf32>) -> (tensor<260xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<260x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<260x1xf32>, tensor<f32>) -> tensor<260xf32>
    return %1 : tensor<260xf32>
  }
}
