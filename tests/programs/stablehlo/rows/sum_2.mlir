// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.328186035 5.1208849 -0.821141243 -2.3886776 -1.41982651 1.86531448 3.36738205 2.28271198 0.302694321 0.883996964 -1.37202168 -4.04400826 2.11755753 3.50012779 -3.08383274 -2.33670616 -0.899353981 -5.10311317 -3.45126057 0.150546074 -1.88378334 1.15796089 -2.49183464 -0.934027672 0.741984367 1.95323944 -1.79776478
// cost: 3 instructions, 560408 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
}
