// in: draw 1 -9 1 19
// out: 9 8 8 7 9 9 8 9 9 9 9 9
// out: -9 -8 -9 -9 -8 -8 -8 -9 -7 -8 -7 -8 -9 -6 -9 -7 -9 -5 -5 -9 -9 -6 -8 -7 -8 -9 -6 -8 -6 -8
// out: 4 8 1 -2 86 46 -42 35 -10 8 -32 3
// cost: 42 instructions, 4192433 ticks
module {
  func.func public @main(%arg0: tensor<12x30xi8>) -> (tensor<12xi8>, tensor<30xi8>, tensor<12xi8>) {
    %c = stablehlo.constant dense<-128> : tensor<i8>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<12x30xi8>, tensor<i8>) -> tensor<12xi8>
    %c_0 = stablehlo.constant dense<127> : tensor<i8>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.minimum across dimensions = [0] : (tensor<12x30xi8>, tensor<i8>) -> tensor<30xi8>
    %c_1 = stablehlo.constant dense<1> : tensor<i8>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.add across dimensions = [1] : (tensor<12x30xi8>, tensor<i8>) -> tensor<12xi8>
    return %0, %1, %2 : tensor<12xi8>, tensor<30xi8>, tensor<12xi8>
  }
}
