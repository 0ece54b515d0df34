// in: draw 1 -9 1 19
// out: 9 8 8 7 9 9 8 9 9 9 9 9
// out: -9 -8 -9 -9 -8 -8 -8 -9 -7 -8 -7 -8 -9 -6 -9 -7 -9 -5 -5 -9 -9 -6 -8 -7 -8 -9 -6 -8 -6 -8
// out: 4 8 1 -2 86 46 -42 35 -10 8 -32 3
// cost: 42 instructions, 4192753 ticks
module {
  func.func public @main(%arg0: tensor<12x30xi16>) -> (tensor<12xi16>, tensor<30xi16>, tensor<12xi16>) {
    %c = stablehlo.constant dense<-32768> : tensor<i16>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<12x30xi16>, tensor<i16>) -> tensor<12xi16>
    %c_0 = stablehlo.constant dense<32767> : tensor<i16>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.minimum across dimensions = [0] : (tensor<12x30xi16>, tensor<i16>) -> tensor<30xi16>
    %c_1 = stablehlo.constant dense<1> : tensor<i16>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.add across dimensions = [1] : (tensor<12x30xi16>, tensor<i16>) -> tensor<12xi16>
    return %0, %1, %2 : tensor<12xi16>, tensor<30xi16>, tensor<12xi16>
  }
}
